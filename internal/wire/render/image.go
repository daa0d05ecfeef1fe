// Images on the wire.

package render

import (
	"almanac/internal/text/markup"
	"almanac/store"
)

// media writes an uploaded image on its own route: the members that records show of it, and what
// is known of it alone.
func (w *writer) media(i *store.Image) {
	w.picture("", w.located(i))
	w.b = w.b[:len(w.b)-1] // goes on
	w.text(`,"mime_type":"`, i.Type)
	w.text(`,"title":"`, markup.Title(i.Title))
	w.text(`,"alt":"`, i.Alt)
	w.html(`,"caption":"`, i.Caption, markup.AppendContent)
	w.number(`,"focus_x":`, int64(i.FocusX))
	w.number(`,"focus_y":`, int64(i.FocusY))
	w.quoted(`,"author":"`, i.Author)
	w.date(`,"date":"`, w.Site.Wall(i.Date))
	w.date(`,"date_utc":"`, i.Date)
	w.date(`,"modified":"`, w.Site.Wall(i.Modified))
	w.date(`,"modified_utc":"`, i.Modified)
	w.address(`,"rest_url":"`, w.api, "/media/", i.ID)
	w.raw(`}`)
}

// picture writes an image. Empty members are left out.
func (w *writer) picture(name string, i *store.Image) {
	w.raw(name)
	w.text(`{"url":"`, i.URL)
	w.number(`,"id":`, i.ID)
	w.someText(`,"extension":"`, i.Extension)
	w.someNumber(`,"width":`, int64(i.Width))
	w.someNumber(`,"height":`, int64(i.Height))
	w.someNumber(`,"filesize":`, i.Filesize)
	if len(i.Sizes) > 0 {
		w.raw(`,"sizes":{`)
		for n, size := range i.Sizes {
			w.comma(n)
			w.size(size)
		}
		w.raw(`}`)
	}
	w.someText(`,"original_image":"`, i.Original)
	w.raw(`}`)
}

// size writes a scaled copy of an image, under its own name.
func (w *writer) size(s store.ImageSize) {
	w.text(`"`, s.Name)
	w.number(`:{"width":`, int64(s.Width))
	w.number(`,"height":`, int64(s.Height))
	w.someText(`,"mime-type":"`, s.MIMEType)
	w.someNumber(`,"filesize":`, s.Filesize)
	if s.Uncropped != nil {
		w.flag(`,"uncropped":`, *s.Uncropped)
	}
	w.text(`,"url":"`, s.URL)
	w.raw(`}`)
}
