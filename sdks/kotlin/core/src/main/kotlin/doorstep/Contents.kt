/** Members of a screen's content in one shape: aliases, plain texts in place of objects, and defaults. */
package doorstep

internal val OPTION_VALUE = listOf("value", "id", "label", "title", "text")
internal val PRODUCT_ID = listOf("product_id", "id", "label", "title", "name")
private val LABEL = listOf("label", "title", "text")
private val OPTION_LABEL = LABEL + "value"
private val HEADING = listOf("title", "question", "heading", "headline")
private val SUBTITLE = listOf("subtitle", "description", "text")
private val BUTTON_LABEL = listOf("label", "text", "title")
private val PICKERS = listOf("date", "time", "height", "weight", "number", "options")

internal const val CM_PER_INCH = 2.54
internal const val KG_PER_POUND = 0.45359237

/** The names of months in answers, in every language. */
internal val MONTHS = listOf(
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)

internal class Option(val value: String, val label: String)

internal class Box(val name: String, val isRequired: Boolean)

internal fun headingOf(content: Json): String = namedText(content, HEADING)

internal fun subtitleOf(content: Json): String = namedText(content, SUBTITLE)

/** Return the options of a question; those without a label are left out. */
internal fun optionsOf(content: Json): List<Option> =
    asList(firstOf(content, listOf("options", "choices")))
        .map { Option(asText(it, namedText(asObject(it), OPTION_VALUE)), asText(it, namedText(asObject(it), OPTION_LABEL))) }
        .filter { it.label.isNotEmpty() }

/** Return the boxes of a consent; those without a label are left out. */
internal fun boxesOf(content: Json): List<Box> =
    asList(content["items"])
        .filter { asText(it, namedText(asObject(it), listOf("label", "title", "text"))).isNotEmpty() }
        .map { Box(asText(it, namedText(asObject(it), listOf("name", "label"))), asObject(it)["required"] == true) }

/** Return the primary and the secondary button; a screen without buttons gets "Continue", or the choice of a permission. */
internal fun buttonsOf(screen: Screen): Pair<Button, Button?> {
    val secondary = readButton(firstOf(screen.content, listOf("secondary_button", "secondary_button_text")))
    val primary = readButton(firstOf(screen.content, listOf("primary_button", "button_text", "button", "cta")))
    return when {
        primary != null -> primary to secondary
        screen.type == "permissions" -> Button("Allow", "request_permission") to (secondary ?: Button("Not now", "next"))
        else -> Button("Continue", "next") to secondary
    }
}

private fun readButton(value: Any?): Button? {
    val source = asObject(value)
    val label = asText(value, namedText(source, BUTTON_LABEL))
    val url = namedText(source, listOf("url", "href"))
    val action = asText(source["action"]).ifEmpty { if (url.isEmpty()) "next" else "open_url" }
    return if (label.isEmpty()) null else Button(label, action, url, asObject(source["data"]))
}

internal fun pickerOf(content: Json): String {
    val kind = namedText(content, listOf("picker", "picker_type")).lowercase(java.util.Locale.ROOT)
    return if (kind in PICKERS) kind else if (kind.isEmpty() && optionsOf(content).isNotEmpty()) "options" else "number"
}

/** Return the limits of a number. Members of a weight's content are kilograms. */
internal fun limitsOf(content: Json, kind: String, unit: String?): Pair<Double, Double> {
    if (kind == "weight" && unit == "imperial") return 66.0 to 440.0
    val (first, last) = when (kind) {
        "height" -> 100.0 to 230.0
        "weight" -> 30.0 to 200.0
        else -> 0.0 to 100.0
    }
    val least = asNumber(content["min_value"]) ?: first
    return least to maxOf(least, asNumber(content["max_value"]) ?: maxOf(last, least + 100))
}

/** Return how many choices a question needs. */
internal fun leastChoices(content: Json, count: Int): Int {
    val most = minOf(count.toDouble(), maxOf(1.0, asNumber(content["max_selected"]) ?: count.toDouble()))
    val least = maxOf(0.0, asNumber(content["min_selected"]) ?: if (content["required"] == true) 1.0 else 0.0)
    return minOf(least, most).toInt()
}

/** Return whether month, day and year are a date of the Gregorian calendar. */
internal fun isDate(values: List<String>): Boolean {
    val month = MONTHS.indexOf(values.getOrNull(0)) + 1
    val day = values.getOrNull(1)?.toIntOrNull() ?: 0
    val year = values.getOrNull(2)?.toLongOrNull()
    return month > 0 && year != null && day in 1..lastDayOf(year, month)
}

private fun namedText(source: Json, names: List<String>): String = asText(*names.map { source[it] }.toTypedArray())

private fun firstOf(source: Json, names: List<String>): Any? = names.firstNotNullOfOrNull { source[it] }
