/** The language of a flow that the device decides on: matching of tags and translated texts (docs/bucketing.md). */
package doorstep

private const val MAX_TAG = 64
private val NAMES_OF_ITEMS = listOf("value", "product_id", "name")

/** Languages and scripts that are written from right to left. */
private val RIGHT_TO_LEFT = Regex(
    "^[a-z]+-(?:arab|hebr|thaa|nkoo|syrc|rohg|adlm)\\b" +
        "|^(?:ar|arc|ckb|dv|fa|he|iw|ks|lrc|mzn|nqo|pnb|ps|rhg|sd(?!-in)|syr|ug(?!-kz|-mn)|ur|yi" +
        "|(?:az|ku)-i[qr]|(?:kk|ky)-cn|kk-(?:af|ir|mn)|(?:pa|tg)-pk|ku-lb|uz-af|ms-cc|ha-(?:cm|sd))" +
        "(?!-[a-z]{4}\\b|[a-z])",
    RegexOption.IGNORE_CASE,
)

/** Return the direction of a language tag. */
internal fun directionOf(locale: String): String = if (RIGHT_TO_LEFT.containsMatchIn(locale)) "rtl" else "ltr"

/** Return the locale of the project that a tag matches. */
internal fun matchedLocale(locales: List<String>, aliases: Json, wanted: String?): String {
    val known = HashMap<String, String>()
    aliases.forEach { (tag, locale) -> known[lower(tag)] = asText(locale) }
    locales.forEach { known[lower(it)] = it }
    val tag = wanted.orEmpty().trim()
    val subtags = if (tag.length > MAX_TAG) ArrayList() else ArrayList(lower(tag.replace('_', '-')).split("-"))
    while (subtags.isNotEmpty()) {
        known[subtags.joinToString("-")]?.let { return it }
        subtags.removeAt(subtags.size - 1)
        if (subtags.lastOrNull()?.length == 1) subtags.removeAt(subtags.size - 1)
    }
    return locales.firstOrNull().orEmpty()
}

/** Return a flow of a configuration in the language that a tag matches. Projects with one language change nothing. */
internal fun localized(flow: Json, settings: Json, wanted: String?): Json {
    val locales = asList(settings["locales"]).map { asText(it) }
    if (locales.size < 2) return flow
    val locale = matchedLocale(locales, asObject(settings["localeAliases"]), wanted)
    val screens = asObjects(flow["screens"]).map { screen ->
        val content = translated(asObject(screen["content"]), asObject(screen["localizations"]), locale, locales)
        screen.minus("localizations") + ("content" to content)
    }
    return flow + mapOf("screens" to screens, "locale" to locale, "direction" to directionOf(locale))
}

/** Return a content with the texts of a locale, or of its shorter forms. */
internal fun translated(content: Json, localizations: Json, locale: String, locales: List<String>): Json {
    val parts = locale.split("-")
    var found: Any? = content
    // The texts of longer forms come last, over the others.
    for (length in 1..parts.size) {
        val tag = parts.take(length).joinToString("-")
        if (locales.indexOf(tag) <= 0) continue
        for ((pointer, value) in asObject(localizations[tag])) {
            val names = pointer.split("/").drop(1).map { it.replace("~1", "/").replace("~0", "~") }
            if (value is String && value.isNotEmpty()) found = withText(found, names, value)
        }
    }
    return asObject(found)
}

private fun withText(value: Any?, names: List<String>, text: String): Any? {
    if (names.isEmpty()) return if (value is String) text else value
    if (value is List<*>) {
        val place = placeIn(value, names[0])
        return value.mapIndexed { index, item -> if (index == place) withText(item, names.drop(1), text) else item }
    }
    val members = asObject(value)
    if (names[0] !in members) return value
    return LinkedHashMap(members).apply { put(names[0], withText(members[names[0]], names.drop(1), text)) }
}

/** Return the place of a name. Items of lists have names; the others have their places. */
private fun placeIn(items: List<Any?>, name: String): Int {
    val all = items.map(::nameOf)
    val names = all.mapIndexed { place, own -> if (all.indexOf(own) == place) own else "" }
    val place = names.indexOf(name)
    if (place >= 0) return place
    val index = name.toIntOrNull()?.takeIf { it.toString() == name } ?: return -1
    return if (names.getOrNull(index) == "") index else -1
}

private fun nameOf(item: Any?): String =
    NAMES_OF_ITEMS.map { asObject(item)[it] }.firstOrNull { it is Number || (it is String && it.isNotEmpty()) }
        ?.let { if (it is Number) plainNumber(it.toDouble()) else it.toString() }.orEmpty()
