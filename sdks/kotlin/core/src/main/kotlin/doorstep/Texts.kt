/** Texts with names in braces, in the contents of screens (docs/logic.md). */
package doorstep

import java.text.DateFormat
import java.text.NumberFormat
import java.text.SimpleDateFormat
import java.util.Currency
import java.util.Date
import java.util.Locale
import java.util.TimeZone

/** What texts show: values by their names, the screens of answers by the same names, and the language of the flow. */
internal class Shown(val values: Json, val screens: Map<String, Screen>, val language: String)

private const val BRACES =
    "\\\\\\{\\{|\\{\\{\\s*(app_name|platform|locale|country|appVersion|(?:answers|attributes|variables)\\.[^\\s:|{}]+)" +
        "\\s*(?::([^{}|]*))?(?:\\|([^{}]*))?\\}\\}"
private val IN_TEXT = Regex(BRACES)

/** In HTML, addresses stay. */
private val IN_HTML = Regex("(?:href|src)=\"[^\"]*\"|$BRACES")

/** Members that are values, addresses, ids or known words. */
private val NO_TEXT = Regex(
    "^(?:id|value|type|icon|image|illustration|url|href|src|action|permission|picker|unit|component|provider)$" +
        "|_(?:id|url|key|type|value|position)$",
)

/** The members that identify an entry of a list, and their names. */
private val IDS = mapOf(
    "options" to ("value" to OPTION_VALUE),
    "choices" to ("value" to OPTION_VALUE),
    "products" to ("product_id" to PRODUCT_ID),
    "fields" to ("name" to listOf("name", "label")),
    "providers" to ("provider" to listOf("provider", "name", "id", "label")),
)
private const val DAY_MS = 86_400_000L
private const val MAX_FRACTION = 3
private val CURRENCY = Regex("currency\\(([A-Za-z]{3})\\)")

/** The last two of several texts, by language. Others are joined by commas. */
private val CONJUNCTIONS = mapOf(
    "en" to " and ", "de" to " und ", "fr" to " et ", "es" to " y ", "it" to " e ", "pt" to " e ", "nl" to " en ",
    "sv" to " och ", "da" to " og ", "nb" to " og ", "no" to " og ", "fi" to " ja ", "pl" to " i ", "cs" to " a ",
    "tr" to " ve ", "ru" to " и ", "uk" to " і ",
)

/** Return a content with the values of the names in its texts. */
internal fun filled(content: Json, shown: Shown): Json = asObject(fill(content, "", shown))

private fun fill(value: Any?, key: String, shown: Shown): Any? =
    when (value) {
        is String -> if (NO_TEXT.containsMatchIn(key)) value else replaced(value, shown, key == "html")
        is List<*> -> value.map { withId(it, fill(it, key, shown), key) }
        is Map<*, *> -> asObject(value).mapValues { (name, member) -> fill(member, name, shown) }
        else -> value
    }

/** Return an entry of a list with the id that it has without values in its texts: a label can be an id, too. */
private fun withId(entry: Any?, changed: Any?, key: String): Any? {
    val (member, names) = IDS[key] ?: return changed
    if (entry == changed) return changed
    val id = asText(entry, *names.map { asObject(entry)[it] }.toTypedArray())
    return asObject(changed) + (if (changed is String) mapOf("label" to changed) else emptyMap()) + (member to id)
}

private fun replaced(given: String, shown: Shown, isHtml: Boolean = false): String {
    if ("{{" !in given) return given
    return (if (isHtml) IN_HTML else IN_TEXT).replace(given) { match ->
        val name = match.groups[1]?.value
        if (name == null) {
            match.value.removePrefix("\\")
        } else {
            val value = textFor(name, match.groups[2]?.value.orEmpty().trim(), shown)
            (if (isHtml) escapeHtml(value) else value).ifEmpty { match.groups[3]?.value.orEmpty().trim() }
        }
    }
}

private fun textFor(name: String, format: String, shown: Shown): String {
    val locale = Locale.forLanguageTag(shown.language)
    val labels = shown.screens[name]?.let { optionsOf(it.content) }.orEmpty()
    val value = shown.values[name]
    val found = (value as? List<*> ?: listOfNotNull(value)).map { one ->
        val option = labels.firstOrNull { it.value == one }
        // A label can have names itself. There an answer is its value, because its label could have the same name.
        if (option == null) textOfValue(one, format, locale) else replaced(option.label, Shown(shown.values, emptyMap(), shown.language))
    }
    val joined = joined(found, locale)
    return when (format) {
        "upper" -> joined.uppercase(locale)
        "lower" -> joined.lowercase(locale)
        "title" -> Regex("(^|\\s)\\S").replace(joined) { it.value.uppercase(locale) }
        else -> joined
    }
}

private fun joined(texts: List<String>, locale: Locale): String {
    val word = CONJUNCTIONS[locale.language]
    if (texts.size < 2 || word == null) return texts.joinToString(", ")
    val comma = if (locale.language == "en" && texts.size > 2) "," else ""
    return texts.dropLast(1).joinToString(", ") + comma + word + texts.last()
}

/** Return a number and a date in a format, or in the standard one of the language where the format is for others. */
private fun textOfValue(value: Any?, format: String, locale: Locale): String {
    if (value is Number) return numberFormat(format, locale).format(value.toDouble())
    val day = dayOf(value) ?: return plainText(value)
    val dates = if (format == "month") SimpleDateFormat("LLLL", locale) else DateFormat.getDateInstance(DateFormat.LONG, locale)
    dates.timeZone = TimeZone.getTimeZone("UTC")
    return dates.format(Date(day * DAY_MS))
}

private fun numberFormat(format: String, locale: Locale): NumberFormat {
    val code = CURRENCY.matchEntire(format)?.groupValues?.get(1)?.uppercase(Locale.ROOT)
    val numbers = when {
        code != null -> NumberFormat.getCurrencyInstance(locale)
        format == "percent" -> NumberFormat.getPercentInstance(locale)
        else -> NumberFormat.getNumberInstance(locale)
    }
    // A language without a country formats as its largest country does.
    val currency = code?.let { runCatching { Currency.getInstance(it) }.getOrNull() }
    if (currency != null) {
        numbers.currency = currency
        numbers.minimumFractionDigits = currency.defaultFractionDigits
        numbers.maximumFractionDigits = currency.defaultFractionDigits
    } else if (format != "percent") {
        numbers.maximumFractionDigits = if (format == "integer") 0 else MAX_FRACTION
    }
    numbers.roundingMode = java.math.RoundingMode.HALF_UP
    return numbers
}

/** Return a text as HTML. */
internal fun escapeHtml(value: String): String = Regex("[&<>\"']").replace(value) { "&#${it.value[0].code};" }
