package picture

import (
	"bytes"
	"encoding/binary"
	"errors"
	"image"
	"image/jpeg"
	"slices"
)

// maxScans bounds the scans of a progressive JPEG, because some bytes of a scan can cost as much
// time as the whole picture. Known encoders write at most 20. A sequential JPEG has at most one
// for each component.
const maxScans = 32

const profileMarker = "ICC_PROFILE\x00"

var errCut, errScans = errors.New("it ends too early"), errors.New("it has too many scans")

// readSegments returns the orientation and the profile of a JPEG, and whether its pixels take more
// memory than those of a sequential one in YCbCr or gray. It finds the same scans as the decoder,
// which takes no marker for image data.
func readSegments(sent []byte) (turn orientation, profile []byte, heavy bool, err error) {
	turn = 1
	scans := 0
	most := 0
	for rest := sent[2:]; ; {
		start := bytes.IndexByte(rest, 0xff)
		if start < 0 || len(rest) < start+2 {
			return 0, nil, false, errCut
		}
		marker := rest[start+1]
		switch rest = rest[start+1:]; {
		case marker == 0xff: // fill byte
			continue
		case marker == 0 || 0xd0 <= marker && marker <= 0xd7: // image data
			continue
		case marker == 0xd9:
			return turn, profile, heavy, nil
		case len(rest) < 3 || int(binary.BigEndian.Uint16(rest[1:])) > len(rest)-1 || binary.BigEndian.Uint16(rest[1:]) < 2:
			return 0, nil, false, errCut
		}
		body := rest[3 : 1+binary.BigEndian.Uint16(rest[1:])]
		rest = rest[3+len(body):]
		switch {
		case 0xc0 <= marker && marker <= 0xc2 && len(body) > 6: // frame with its components
			most = int(body[5])
			if marker == 0xc2 {
				most = maxScans
			}
			heavy = heavy || marker == 0xc2 || body[5] > 3 || body[6] == 'R'
		case marker == 0xda:
			if scans++; scans > most {
				return 0, nil, false, errScans
			}
		case marker == 0xe1 && turn == 1 && bytes.HasPrefix(body, []byte("Exif\x00\x00")):
			turn = orientationOf(body[6:])
		case marker == 0xe2 && bytes.HasPrefix(body, []byte(profileMarker)) && len(profile) <= maxProfile:
			profile = append(profile, body[min(len(body), len(profileMarker)+2):]...)
		case marker == 0xee && len(body) > 11 && body[11] == 0: // Adobe: RGB or CMYK
			heavy = true
		}
	}
}

// encodeJPEG returns a picture as JPEG, with a profile if there is one.
func encodeJPEG(img image.Image, quality int, profile []byte, length int) ([]byte, error) {
	out := bytes.NewBuffer(make([]byte, 0, length))
	if err := jpeg.Encode(out, img, &jpeg.Options{Quality: quality}); err != nil {
		return nil, err
	}
	return withProfile(out.Bytes(), profileFor(img, profile)), nil
}

// withProfile inserts a profile into a JPEG, in as many segments as it needs.
func withProfile(data, profile []byte) []byte {
	const most = 65533 - len(profileMarker) - 2
	var segments []byte
	for i := 0; i*most < len(profile); i++ {
		part := profile[i*most : min((i+1)*most, len(profile))]
		segments = binary.BigEndian.AppendUint16(
			append(segments, 0xff, 0xe2),
			uint16(2+len(profileMarker)+2+len(part)),
		)
		segments = append(
			append(segments, profileMarker...),
			byte(i+1),
			byte((len(profile)+most-1)/most),
		)
		segments = append(segments, part...)
	}
	return slices.Insert(data, 2, segments...)
}
