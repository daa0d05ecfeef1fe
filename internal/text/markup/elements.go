package markup

// This file knows the elements of HTML: which are blocks, and what may stand in them.

// A role says what an element does to the text around and inside it.
type role uint8

const (
	inline   role = iota // part of a line, nothing by itself; every element without another role
	replaced             // inline, shows something even without text
	opaque               // inline, with content that is not looked at
	caption              // inline, but white space around its tags means nothing
	para                 // <p>
	flow                 // a block that holds paragraphs and other blocks
	compact              // a block of text, with paragraphs only if a blank line divides it
	line                 // a block of text that never has paragraphs
	rule                 // a block without content or end tag
	listing              // a block with content that is not looked at
)

var roles = map[string]role{
	"button": replaced, "canvas": replaced, "embed": replaced, "img": replaced, "input": replaced,

	"audio": opaque, "iframe": opaque, "math": opaque, "noscript": opaque, "object": opaque, "picture": opaque,
	"script": opaque, "select": opaque, "svg": opaque, "textarea": opaque, "video": opaque,

	"figcaption": caption, "p": para,

	"address": flow, "article": flow, "aside": flow, "blockquote": flow, "details": flow, "div": flow,
	"fieldset": flow, "footer": flow, "form": flow, "header": flow, "hgroup": flow, "nav": flow, "section": flow,

	"caption": compact, "colgroup": compact, "dd": compact, "dl": compact, "dt": compact, "figure": compact,
	"li": compact, "map": compact, "menu": compact, "ol": compact, "table": compact, "tbody": compact,
	"td": compact, "tfoot": compact, "th": compact, "thead": compact, "tr": compact, "ul": compact,

	"h1": line, "h2": line, "h3": line, "h4": line, "h5": line, "h6": line, "legend": line, "summary": line,

	"area": rule, "col": rule, "hr": rule, "pre": listing, "style": listing,
}
