// Categories, tags and images.

package store

// A Term is a category or a tag (sections 2.4 and 2.5 of the specification).
type Term struct {
	Meta
	Taxonomy    Kind     `json:"-"`    // Categories or Tags; on disk the place says it
	Name        string   `json:"name"` // plain text, no HTML
	Slug        string   `json:"slug"`
	Former      []string `json:"former,omitempty"` // slugs that it had, newest first; Put keeps them
	Description string   `json:"description,omitempty"`
	Parent      int64    `json:"parent,omitempty"` // category above, or 0
}

var termFields = []Field[Term]{
	{"name", "-", Must, func(t *Term) any { return &t.Name }},
	{"slug", "-", Must, func(t *Term) any { return &t.Slug }},
	{"former", "-", 0, func(t *Term) any { return &t.Former }},
	{"description", "-", 0, func(t *Term) any { return &t.Description }},
	{"parent", "-", 0, func(t *Term) any { return &t.Parent }},
}

// Kind returns Categories or Tags.
func (t *Term) Kind() Kind { return t.Taxonomy }

// An Image is a picture that records show. Its file is elsewhere: it is known
// by address and never fetched.
type Image struct {
	Meta
	URL       string      `json:"url"` // unique among images
	Extension string      `json:"extension,omitempty"`
	Width     int         `json:"width,omitempty"`
	Height    int         `json:"height,omitempty"`
	Filesize  int64       `json:"filesize,omitempty"`
	Sizes     []ImageSize `json:"sizes,omitempty"`
	Original  string      `json:"original_image,omitempty"` // file name before it was scaled down
}

var imageFields = []Field[Image]{
	{"url", "-", Must, func(i *Image) any { return &i.URL }},
	{"extension", "-", Word, func(i *Image) any { return &i.Extension }},
	{"width", "-", 0, func(i *Image) any { return &i.Width }},
	{"height", "-", 0, func(i *Image) any { return &i.Height }},
	{"filesize", "-", 0, func(i *Image) any { return &i.Filesize }},
	{"sizes", "-", 0, func(i *Image) any { return &i.Sizes }},
	{"original_image", "-", 0, func(i *Image) any { return &i.Original }},
}

// Kind returns Images.
func (*Image) Kind() Kind { return Images }

// An ImageSize is a scaled copy of an image.
type ImageSize struct {
	Name      string `json:"name"` // "medium", "thumbnail" …
	Width     int    `json:"width"`
	Height    int    `json:"height"`
	MIMEType  string `json:"mime-type,omitempty"`
	Filesize  int64  `json:"filesize,omitempty"`
	Uncropped *bool  `json:"uncropped,omitempty"` // said by some shops only
	URL       string `json:"url"`
}

var sizeFields = []Field[ImageSize]{
	{"name", "-", Must | Word, func(s *ImageSize) any { return &s.Name }},
	{"width", "-", Must, func(s *ImageSize) any { return &s.Width }},
	{"height", "-", Must, func(s *ImageSize) any { return &s.Height }},
	{"mime-type", "-", Word, func(s *ImageSize) any { return &s.MIMEType }},
	{"filesize", "-", 0, func(s *ImageSize) any { return &s.Filesize }},
	{"uncropped", "-", 0, func(s *ImageSize) any { return &s.Uncropped }},
	{"url", "-", Must, func(s *ImageSize) any { return &s.URL }},
}
