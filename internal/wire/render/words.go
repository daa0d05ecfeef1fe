// The words of addresses of pages in other languages.

package render

import (
	"slices"
	"strings"
)

// Words are words that stand in addresses of pages for ours, by ours. Addresses that are read may
// have them, and no address that is written has.
type Words map[string][]string

// Mean reports whether a segment of a path stands for a word of ours, in any letter case.
func (w Words) Mean(segment, ours string) bool {
	return slices.Contains(w[ours], strings.ToLower(segment))
}

// Translatable are our words that other languages and sites have words for.
var Translatable = strings.Fields(
	"month list today day category tag featured page venue organizer week photo map summary all",
)

// translated has the words of The Events Calendar by language, in the order of Translatable. Some
// have two spellings, and "-" stands for none.
var translated = map[string]string{
	"ar": "الشهر قائمة اليوم اليوم قسم وسم - - " +
		"المكان المنظم أسبوع صورة خريطة - -",
	"cs": "mesic seznam dnes den rubrika stitek doporuceno stranka " +
		"misto-konani poradatel tyden foto mapa - vse",
	"da": "maaned liste i-dag dag kategori tag fremhaevet side " +
		"sted arrangoer uge billede kort sammenfatning alle",
	"de": "monat liste heute tag kategorie schlagwort hervorgehoben seite " +
		"veranstaltungsort veranstalter woche foto karte uebersicht|übersicht alle",
	"es": "mes lista hoy dia categoria etiqueta destacado página " +
		"recinto organizador semana foto mapa resumen todos",
	"fi": "kuukausi lista tanaan paiva kategoria tag kiinnitetty sivu " +
		"tapahtumapaikka jarjestaja viikko kuva kartta yhteenveto kaikki",
	"fr": "mois liste aujourdhui jour categorie etiquette mis-en-avant page " +
		"lieu organisateur semaine photo carte - tous",
	"he": "חודש רשימה היום יום קטגוריה תגית - - " +
		"מקום המארגנ-ת - - - - -",
	"hu": "honap lista ma nap kategoria cimke kiemelt oldal " +
		"helyszin szervezo - - - - -",
	"it": "mese elenco oggi giorno categoria tag in-evidenza pagina " +
		"luogo organizzatore settimana foto mappa - tutti",
	"ja": "月 リスト 今日 日 カテゴリー タグ 注目の ページ " +
		"会場 主催者 週 写真 マップ - すべて",
	"nb": "maned liste i-dag dag kategori tag fremhevet side " +
		"sted arrangor uke foto - - -",
	"nl": "maand lijst vandaag dag categorie tag uitgelicht pagina " +
		"locatie organisator week foto kaart overzicht alle",
	"pl": "miesiac lista dzisiaj dzien kategoria znacznik wyrozniony strona " +
		"miejsce organizator tydzien zdjecie mapa podsumowanie -",
	"pt-BR": "mes lista hoje dia categoria tag destacado pagina " +
		"local organizador semana foto mapa resumo todos",
	"pt-PT": "mes lista hoje dia categoria etiqueta destaques página " +
		"local organizador semana foto - - -",
	"ru": "месяц список сегодня день категория тег популярные страница " +
		"место-проведения организатор неделя - - - -",
	"sv": "manad lista idag dag kategori etikett utvald sida " +
		"plats arrangor vecka foto karta sammanfattning alla",
	"zh-Hans": "月 列表 今天 日 类别 标签 功能 页 " +
		"地点 主办人 - - - - -",
}

// languageWords are the words of each language.
var languageWords = wordsByLanguage()

func wordsByLanguage() map[string]Words {
	all := map[string]Words{}
	for tag, row := range translated {
		words := Words{}
		for i, forms := range strings.Fields(row) {
			if ours := Translatable[i]; forms != "-" && forms != ours {
				words[ours] = strings.Split(forms, "|")
			}
		}
		all[tag] = words
	}
	return all
}

// WordsIn returns the words of a language.
func WordsIn(tag string) Words {
	return languageWords[tag]
}

// With returns the words with those of a site, which take the place of other meanings.
func (w Words) With(sites Words) Words {
	all := Words{}
	for _, ours := range Translatable {
		others := slices.DeleteFunc(slices.Clone(w[ours]), func(word string) bool {
			return slices.ContainsFunc(Translatable, func(other string) bool {
				return sites.Mean(word, other)
			})
		})
		all[ours] = slices.Concat(sites[ours], others)
	}
	return all
}
