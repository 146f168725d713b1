/** JSON as maps, lists, texts, numbers (Double), booleans and null, and readers of values of any shape. */
package doorstep

internal typealias Json = Map<String, Any?>

internal class JsonError(place: Int) : Exception("no JSON at $place")

private const val MAX_DEPTH = 100

/** Return the value of a text. Throw a JsonError for another text. */
internal fun parseJson(text: String): Any? = JsonReader(text).whole()

/** Return the object of a text; null for another text. */
internal fun parseObject(text: String): Json? =
    try {
        @Suppress("UNCHECKED_CAST")
        parseJson(text) as? Json
    } catch (_: JsonError) {
        null
    }

private class JsonReader(private val text: String) {
    private var place = 0

    fun whole(): Any? {
        val value = value(0)
        space()
        return if (place == text.length) value else fail()
    }

    private fun value(depth: Int): Any? {
        space()
        if (depth > MAX_DEPTH) fail()
        return when (next()) {
            '{' -> members(depth)
            '[' -> items(depth)
            '"' -> string()
            't' -> word("true", true)
            'f' -> word("false", false)
            'n' -> word("null", null)
            else -> number()
        }
    }

    private fun members(depth: Int): Json {
        val found = LinkedHashMap<String, Any?>()
        each('}') {
            space()
            if (next() != '"') fail()
            val name = string()
            space()
            if (next() != ':') fail()
            place += 1
            found[name] = value(depth + 1)
        }
        return found
    }

    private fun items(depth: Int): List<Any?> {
        val found = ArrayList<Any?>()
        each(']') { found.add(value(depth + 1)) }
        return found
    }

    private fun each(end: Char, read: () -> Unit) {
        place += 1
        space()
        if (next() == end) {
            place += 1
            return
        }
        while (true) {
            read()
            space()
            val last = next()
            place += 1
            if (last == end) return
            if (last != ',') fail()
        }
    }

    private fun string(): String {
        val found = StringBuilder()
        place += 1
        while (true) {
            val character = next()
            place += 1
            when {
                character == '"' -> return found.toString()
                character == '\\' -> found.append(escaped())
                character < ' ' -> fail()
                else -> found.append(character)
            }
        }
    }

    private fun escaped(): Char {
        val character = next()
        place += 1
        if (character != 'u') {
            val at = "\"\\/bfnrt".indexOf(character)
            return if (at < 0) fail() else "\"\\/\b\u000c\n\r\t"[at]
        }
        val digits = text.substring(place, minOf(place + 4, text.length))
        place += 4
        return if (digits.length == 4) digits.toIntOrNull(16)?.toChar() ?: fail() else fail()
    }

    private fun number(): Double {
        val found = NUMBER.find(text, place)
        if (found == null || found.range.first != place) fail()
        place = found.range.last + 1
        return found.value.toDouble()
    }

    private fun <Value> word(word: String, value: Value): Value {
        if (!text.startsWith(word, place)) fail()
        place += word.length
        return value
    }

    private fun space() {
        while (place < text.length && text[place] in " \t\r\n") place += 1
    }

    private fun next(): Char = if (place < text.length) text[place] else fail()

    private fun fail(): Nothing = throw JsonError(place)

    private companion object {
        val NUMBER = Regex("-?(?:0|[1-9][0-9]*)(?:\\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
    }
}

/** Return a value as JSON. Values of other types are null. */
internal fun writeJson(value: Any?): String = StringBuilder().also { write(value, it) }.toString()

private fun write(value: Any?, to: StringBuilder) {
    when (value) {
        is String -> writeString(value, to)
        is Boolean -> to.append(value)
        is Number -> to.append(if (value.toDouble().isFinite()) plainNumber(value.toDouble()) else "null")
        is Map<*, *> -> {
            var separator = "{"
            for ((name, member) in value) {
                to.append(separator)
                writeString(name.toString(), to)
                to.append(':')
                write(member, to)
                separator = ","
            }
            to.append(if (value.isEmpty()) "{}" else "}")
        }
        is Iterable<*> -> {
            to.append('[')
            value.forEachIndexed { place, item ->
                if (place > 0) to.append(',')
                write(item, to)
            }
            to.append(']')
        }
        else -> to.append("null")
    }
}

private fun writeString(value: String, to: StringBuilder) {
    to.append('"')
    for (character in value) {
        when {
            character == '"' || character == '\\' -> to.append('\\').append(character)
            character < ' ' || character.isSurrogate() || character == '\u2028' || character == '\u2029' ->
                to.append("\\u").append(character.code.toString(16).padStart(4, '0'))
            else -> to.append(character)
        }
    }
    to.append('"')
}

/** Return a number as JavaScript writes it. */
internal fun plainNumber(number: Double): String {
    if (number == 0.0) return "0"
    val decimal = java.math.BigDecimal(number.toString()).stripTrailingZeros()
    val digits = decimal.unscaledValue().abs().toString()
    val point = digits.length - decimal.scale()
    val sign = if (number < 0) "-" else ""
    return sign + when {
        point in digits.length..21 -> digits.padEnd(point, '0')
        point in 1..21 -> digits.substring(0, point) + "." + digits.substring(point)
        point in -5..0 -> "0." + "0".repeat(-point) + digits
        else -> {
            val exponent = point - 1
            digits.take(1) + (if (digits.length > 1) "." + digits.drop(1) else "") +
                "e" + (if (exponent < 0) "-" else "+") + Math.abs(exponent)
        }
    }
}

/** Return an object, or an empty one for everything else. */
@Suppress("UNCHECKED_CAST")
internal fun asObject(value: Any?): Json = value as? Json ?: emptyMap()

/** Return a list, or an empty one for everything else. */
internal fun asList(value: Any?): List<Any?> = value as? List<*> ?: emptyList<Any?>()

internal fun asObjects(value: Any?): List<Json> = asList(value).map(::asObject)

/** Return the first text or number as trimmed text, or an empty text. */
internal fun asText(vararg values: Any?): String {
    for (value in values) {
        if (value is String && value.isNotBlank()) return value.trim()
        if (value is Number && value.toDouble().isFinite()) return plainNumber(value.toDouble())
    }
    return ""
}

/** Return a number, also of a text; null for everything else. */
internal fun asNumber(value: Any?): Double? =
    when (value) {
        is Number -> value.toDouble().takeIf { it.isFinite() }
        is String -> value.trim().toDoubleOrNull()?.takeIf { it.isFinite() }
        else -> null
    }
