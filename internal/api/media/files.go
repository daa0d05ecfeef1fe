// The files of uploads: making, storing and serving them.

package media

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"mime"
	"net/http"
	"path"
	"slices"
	"strings"
	"time"

	"almanac/internal/api"
	"almanac/internal/api/admission"
	"almanac/internal/api/picture"
	"almanac/internal/api/respond"
	"almanac/internal/people/account"
	"almanac/internal/people/limit"
	"almanac/internal/wire/params"
	"almanac/internal/write"
	"almanac/store"
	"almanac/store/media"
)

// errNoFile answers an upload without a picture.
var errNoFile = &api.Error{
	Status: http.StatusBadRequest,
	Code:   "rest_upload_no_data",
	Message: "There is no picture: send it as the body, with its Content-Type and Content-Disposition: attachment; " +
		"filename=\"poster.jpg\", or as the file of a form (multipart/form-data).",
}

// errSum answers an upload that changed on its way. It is no guard against anybody who means to
// change one.
var errSum = &api.Error{
	Status:  http.StatusPreconditionFailed,
	Code:    "rest_upload_hash_mismatch",
	Message: "Nothing was stored: Content-MD5 must be the MD5 sum of the picture that was sent, in hexadecimal digits.",
}

// extensions are those of served files.
var extensions = map[string]string{"image/jpeg": "jpg", "image/png": "png", "image/webp": "webp"}

// inTurn runs f in a turn: one picture at a time is decoded and stored, since that takes much
// memory, and so that two uploads do not take the same room.
func inTurn(r *api.Call, f func() error) (err error) {
	failed := r.Bounds().Decoding.Do(r.HTTP.Context(), r.Key(), func() { err = f() })
	if errors.Is(failed, limit.ErrBusy) {
		return api.Over(
			http.StatusServiceUnavailable,
			"rest_too_busy",
			"busy",
			fmt.Sprintf("One picture at a time is worked on, and %d wait "+
				"already. Send this one again after the seconds in Retry-After.", admission.PicturesWaiting),
			5*time.Second,
		)
	}
	return errors.Join(failed, err)
}

// storeFiles makes the files of a picture as it was sent, stores them in a new directory, and
// notes them in the image. room may refuse their bytes. They count on an account as long as they
// are there. The address has random bits, so that nobody computes it from the picture.
func storeFiles(
	st *store.Store,
	most admission.Limits,
	account int64,
	i *store.Image,
	sent []byte,
	name string,
	room func(bytes int64) error,
) error {
	if err := room(media.Room(int64(len(sent)))); err != nil { // before the work
		return err
	}
	pixels := int(min(admission.Most(int64(most.Pixels)), 1<<31-1))
	served, err := picture.Read(sent, picture.Focus{
		X: i.FocusX,
		Y: i.FocusY,
	}, picture.Limits{
		Pixels: pixels,
	})
	if err != nil {
		return refusal(err)
	}
	var bits [16]byte
	_, _ = rand.Read(bits[:]) // it does not fail
	i.Directory = hex.EncodeToString(bits[:])
	i.Sizes = nil
	i.Sent, i.SentBytes, i.Extension = hashOf(sent), int64(len(sent)), served.Extension
	files := []media.File{media.OfAccount(account), {Name: store.SentName, Data: sent}}
	base := write.MediaName(i.Title, name)
	for _, f := range served.Files {
		size := store.ImageSize{
			Name:     f.Name,
			Width:    f.Width,
			Height:   f.Height,
			MIMEType: f.Type,
			Filesize: int64(len(f.Data)),
			Hash:     hashOf(f.Data),
		}
		full := base
		if f.Name != "" {
			full += fmt.Sprintf("-%dx%d", f.Width, f.Height)
		}
		full += "." + extensions[f.Type]
		size.URL = store.MediaPath + i.Directory + "/" + full
		if !slices.ContainsFunc(files, func(f media.File) bool { return f.Name == full }) {
			files = append(files, media.File{Name: full, Data: f.Data})
		}
		if f.Name != "" {
			i.Sizes = append(i.Sizes, size)
			continue
		}
		i.URL = size.URL
		i.Type = f.Type
		i.Width = f.Width
		i.Height = f.Height
		i.Filesize = size.Filesize
		i.Hash = size.Hash
	}
	if err := room(store.UploadBytes(i)); err != nil {
		return err
	}
	return st.Media().Write(i.Directory, files)
}

// storeCalled stores the files of a picture for the caller.
func storeCalled(r *api.Call, i *store.Image, sent []byte, name string) error {
	return storeFiles(
		r.Store,
		r.Bounds().Limits,
		r.Caller.ID,
		i,
		sent,
		name,
		func(bytes int64) error { return room(r, bytes) },
	)
}

// remake stores the files of an upload anew, made of the file as it was sent.
func remake(r *api.Call, i *store.Image) error {
	content, err := r.Store.Media().Open(i.Directory, store.SentName)
	if err != nil {
		return fmt.Errorf("the file of picture %d as it was sent: %w", i.ID, err)
	}
	defer content.Close()
	if err := content.Check(i.SentBytes, i.Sent); err != nil {
		return fmt.Errorf("picture %d as it was sent: %w", i.ID, err)
	}
	sent, err := io.ReadAll(content)
	if err != nil {
		return err
	}
	return storeCalled(r, i, sent, path.Base(i.URL))
}

func hashOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// refusal answers a picture that cannot be shown.
func refusal(err error) error {
	var bad *picture.Error
	if !errors.As(err, &bad) {
		return err
	}
	message := strings.ToUpper(bad.Error()[:1]) + bad.Error()[1:] + "."
	switch bad.Reason {
	case picture.TooLarge:
		return api.Over(
			http.StatusRequestEntityTooLarge,
			"rest_picture_too_large",
			"max-picture-pixels",
			message+" (-max-picture-pixels)",
			0,
		)
	case picture.Broken:
		return &api.Error{
			Status:  http.StatusBadRequest,
			Code:    "rest_picture_broken",
			Message: message,
		}
	}
	return &api.Error{
		Status:  http.StatusUnsupportedMediaType,
		Code:    "rest_picture_not_taken",
		Message: message,
	}
}

// room refuses files of a picture that there is no room for: in the quota of the caller, in that
// of all pictures, and on the disk, where an account leaves half of the room that it finds to
// others. Editors have no quota. Files that wait for their removal take room, too.
func room(r *api.Call, bytes int64) error {
	most := r.Bounds()
	bounded := !r.Caller.May(account.EditOthers)
	own, all, err := r.Store.UploadRoom(r.Caller.ID)
	if err != nil {
		return err
	}
	half := int64(math.MaxInt64)
	if free, err := r.Store.Free(); err == nil && most.Free > 0 {
		if bounded && free-bytes < most.Free {
			return api.ErrNoRoom
		}
		half = (own + free - most.Free) / 2
	}
	for _, quota := range []struct {
		limit, whose string
		used, most   int64
		applies      bool
	}{
		{"pictures-mb", "all pictures together", all, admission.Most(most.Pictures), true},
		{"picture-quota-mb", "your pictures", own, admission.Most(most.PictureQuota), bounded},
		{"min-free-mb", "your pictures", own, half, bounded},
	} {
		if quota.applies && quota.used+bytes > quota.most {
			return api.Over(
				http.StatusInsufficientStorage,
				"rest_no_room_for_picture",
				quota.limit,
				fmt.Sprintf(
					"There is no room for this picture of %d kilobytes: %s have %d kilobytes, and may have %d (-%s). Send a smaller "+
						"picture. Deleted pictures count until their files are removed (-keep).",
					admission.Kilobytes(
						bytes,
					),
					quota.whose,
					admission.Kilobytes(quota.used),
					admission.Kilobytes(quota.most),
					quota.limit,
				),
				0,
			)
		}
	}
	return r.Store.Refusing()
}

// File answers with a file of an upload. Only addresses that a record names are served, to
// everybody who knows them.
var File = api.Unlisted(&api.Op{Name: "media.file", Params: params.None, Serve: serveFile})

func serveFile(r *api.Call) (*respond.Response, error) {
	directory := r.Path["directory"]
	name := r.Path["name"]
	var file store.ImageSize
	_ = r.Store.View(func(v *store.View) error {
		i := v.ByDirectory(directory)
		if i == nil {
			return nil
		}
		for _, size := range append([]store.ImageSize{i.Full()}, i.Sizes...) {
			if path.Base(size.URL) == name {
				file = size
			}
		}
		return nil
	})
	if file.URL == "" {
		return nil, api.ErrNoRoute
	}
	content, err := r.Store.Media().Open(directory, name)
	tag := `"` + file.Hash[:32] + `"`
	if err == nil && !r.Asked.NotModified(tag) {
		if err = content.Check(file.Filesize, file.Hash); err != nil {
			err = errors.Join(err, content.Close())
		}
	}
	at := media.Dir + "/" + directory + "/" + name
	switch {
	case errors.Is(err, fs.ErrNotExist):
		r.Log.Error("the file of a picture is missing", "file", at)
		return nil, api.ErrNoRoute
	case errors.Is(err, media.ErrDamaged):
		r.Log.Error("the file of a picture is damaged", "file", at, "err", err)
		return nil, api.ErrNoRoute
	case err != nil:
		return nil, fmt.Errorf("%s: %w", at, err)
	}
	return &respond.Response{
		Status: http.StatusOK,
		File:   content,
		Media:  file.MIMEType,
		Tag:    tag,
		Header: map[string]string{
			"Cache-Control":           "public, max-age=31536000, immutable",
			"Content-Security-Policy": "default-src 'none'; sandbox",
			"Content-Disposition": mime.FormatMediaType("inline", map[string]string{
				"filename": name,
			}),
			"X-Robots-Tag": "all",
		},
	}, nil
}
