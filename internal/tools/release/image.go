// The image for containers: the layout of the OCI Image Specification 1.1, in one tar archive.

package main

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
)

// nobody is the number of the user and the group that the program runs as in a container.
const nobody = 65532

// mediaTypes of the OCI Image Specification.
const (
	indexType    = "application/vnd.oci.image.index.v1+json"
	manifestType = "application/vnd.oci.image.manifest.v1+json"
	configType   = "application/vnd.oci.image.config.v1+json"
	layerType    = "application/vnd.oci.image.layer.v1.tar+gzip"
)

// An image is the files of an image's layout.
type image struct{ blobs []entry }

// add adds a blob, and returns its descriptor.
func (i *image) add(mediaType string, content []byte) object {
	sum := fmt.Sprintf("%x", sha256.Sum256(content))
	i.blobs = append(i.blobs, entry{name: "blobs/sha256/" + sum, mode: 0o644, content: content})
	return object{"mediaType": mediaType, "digest": "sha256:" + sum, "size": len(content)}
}

// addJSON adds a value as a blob.
func (i *image) addJSON(mediaType string, value any) object {
	text, _ := json.Marshal(value) // of texts and numbers
	return i.add(mediaType, text)
}

// image makes the image of the programs for Linux. There is nothing in it but the programs and a
// folder for data: no shell, and no file of anybody else's.
func (m *maker) image(programs []program) error {
	annotations := object{
		"org.opencontainers.image.title":       name,
		"org.opencontainers.image.version":     m.version,
		"org.opencontainers.image.revision":    m.commit,
		"org.opencontainers.image.created":     m.time(),
		"org.opencontainers.image.licenses":    "MIT",
		"org.opencontainers.image.description": "a calendar of events over HTTP",
		// The specification has no field for a health check. docs/verify.md has it for compose.
		"almanac.healthcheck": "/almanac healthcheck",
	}
	var i image
	var manifests []any
	for _, p := range programs {
		if p.os != "linux" {
			continue
		}
		layer, err := tarred([]entry{
			{name: name, mode: 0o755, content: p.content},
			{name: moverName, mode: 0o755, content: p.mover},
			{name: "data/", mode: 0o700, owner: nobody},
		}, m.stamp)
		if err != nil {
			return err
		}
		platform := object{"os": p.os, "architecture": p.arch}
		if p.level != "" {
			platform["variant"] = p.level
		}
		config := object{
			"created": m.time(),
			"config": object{
				"User":       fmt.Sprintf("%d:%d", nobody, nobody),
				"Entrypoint": []string{"/almanac"},
				"Cmd":        []string{"serve"},
				"Env":        []string{"ALMANAC_DATA=/data", "ALMANAC_ADDR=[::]:8080"},
				"ExposedPorts": object{
					"8080/tcp": object{},
				},
				"Volumes":    object{"/data": object{}},
				"WorkingDir": "/",
				"Labels":     annotations,
			},
			"rootfs": object{
				"type":     "layers",
				"diff_ids": []string{fmt.Sprintf("sha256:%x", sha256.Sum256(layer))},
			},
			"history": []any{object{
				"created":    m.time(),
				"created_by": "make release VERSION=" + m.version,
			}},
		}
		for name, value := range platform {
			config[name] = value
		}
		manifest := i.addJSON(manifestType, object{
			"schemaVersion": 2, "mediaType": manifestType, "config": i.addJSON(configType, config),
			"layers": []any{i.add(layerType, gzipped(layer))}, "annotations": annotations,
		})
		manifest["platform"] = platform
		manifests = append(manifests, manifest)
	}
	if manifests == nil {
		return nil // a trial for other systems
	}
	index := i.addJSON(indexType, object{
		"schemaVersion": 2,
		"mediaType":     indexType,
		"manifests":     manifests,
		"annotations":   annotations,
	})
	index["annotations"] = object{"org.opencontainers.image.ref.name": name + ":" + m.version,
		"io.containerd.image.name": "docker.io/library/" + name + ":" + m.version}
	text, _ := json.Marshal(object{
		"schemaVersion": 2,
		"mediaType":     indexType,
		"manifests":     []any{index},
	})
	files := append([]entry{
		{name: "oci-layout", mode: 0o644, content: []byte(`{"imageLayoutVersion":"1.0.0"}`)},
		{name: "index.json", mode: 0o644, content: text},
		{name: "blobs/", mode: 0o755}, {name: "blobs/sha256/", mode: 0o755},
	}, i.blobs...)
	content, err := tarred(files, m.stamp)
	if err != nil {
		return err
	}
	return m.write(m.file("_oci.tar"), content)
}
