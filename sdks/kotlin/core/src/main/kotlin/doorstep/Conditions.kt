/** Conditions on a device and on answers: the operators of docs/bucketing.md, and lists, which answers alone have. */
package doorstep

internal val MEMBERS = listOf("platform", "appVersion", "osVersion", "locale", "country", "deviceId")

/** Names that a condition may have; others come from a newer service. */
private val GROUPS = listOf("answers.", "attributes.", "variables.")
private val OPERATORS = setOf(
    "eq", "neq", "in", "not_in", "contains", "starts_with", "ends_with", "gt", "gte", "lt", "lte",
    "semver_eq", "semver_gt", "semver_gte", "semver_lt", "semver_lte", "exists", "not_exists",
)

/** The operators that a missing value passes. */
private val PASSED_BY_NOTHING = setOf("neq", "not_in", "not_exists")

private const val DIGITS = "(0|[1-9][0-9]*)"
private const val PART = "(?:0|[1-9][0-9]*|[0-9]*[A-Za-z-][0-9A-Za-z-]*)"
private val VERSION = Regex(
    "$DIGITS(?:\\.$DIGITS)?(?:\\.$DIGITS)?(?:-($PART(?:\\.$PART)*))?(?:\\+[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*)?",
)

internal fun allHold(conditions: Any?, values: Json): Boolean = asObjects(conditions).all { holds(it, values) }

/** Return whether a condition holds for values by their names. Unknown operators and attributes fail. */
internal fun holds(condition: Json, values: Json): Boolean {
    val attribute = asText(condition["attribute"])
    val operator = asText(condition["operator"])
    val value = condition["value"]
    val given = values[attribute]
    val isKnown = attribute in MEMBERS || GROUPS.any(attribute::startsWith)
    if (operator !in OPERATORS || !isKnown) return false
    if (given == null || (given is List<*> && given.isEmpty())) return operator in PASSED_BY_NOTHING
    return when (operator) {
        "eq", "neq" -> isEqual(attribute, given, value) == (operator == "eq")
        "in", "not_in" -> isIn(attribute, given, value) == (operator == "in")
        "exists", "not_exists" -> operator == "exists"
        "contains" -> if (given is List<*>) given.any { isSame(it, value) } else textsHold(given, value) { a, b -> b in a }
        "starts_with" -> textsHold(given, value) { a, b -> a.startsWith(b) }
        "ends_with" -> textsHold(given, value) { a, b -> a.endsWith(b) }
        "gt", "gte", "lt", "lte" -> {
            given is Number && value is Number && isInOrder(operator, given.toDouble().compareTo(value.toDouble()))
        }
        else -> textsHold(given, value) { a, b ->
            compareVersions(a, b)?.let { isInOrder(operator.removePrefix("semver_"), it) } ?: false
        }
    }
}

private fun isInOrder(operator: String, order: Int): Boolean =
    when (operator) {
        "gt" -> order > 0
        "gte" -> order >= 0
        "lt" -> order < 0
        "lte" -> order <= 0
        else -> order == 0
    }

private fun textsHold(given: Any?, value: Any?, test: (String, String) -> Boolean): Boolean =
    given is String && value is String && test(given, value)

private fun isEqual(attribute: String, given: Any?, value: Any?): Boolean =
    if (given is List<*>) given.size == 1 && isOneEqual(attribute, given[0], value) else isOneEqual(attribute, given, value)

private fun isIn(attribute: String, given: Any?, value: Any?): Boolean =
    (given as? List<*> ?: listOf<Any?>(given)).any { one -> asList(value).any { isOneEqual(attribute, one, it) } }

/** Languages and countries ignore the case of A to Z. */
private fun isOneEqual(attribute: String, given: Any?, value: Any?): Boolean {
    if (attribute != "locale" && attribute != "country") return isSame(given, value)
    return textsHold(given, value) { a, b ->
        val (own, wanted) = lower(a) to lower(b)
        own == wanted || (attribute == "locale" && own.startsWith("$wanted-"))
    }
}

/** Return whether two values have the same type and are equal; lists have equal values in one order. */
internal fun isSame(one: Any?, other: Any?): Boolean =
    when {
        one is Number && other is Number -> one.toDouble().compareTo(other.toDouble()) == 0
        one is List<*> && other is List<*> -> one.size == other.size && one.indices.all { isSame(one[it], other[it]) }
        else -> one == other
    }

internal fun lower(value: String): String =
    value.map { if (it in 'A'..'Z') it + 32 else it }.joinToString("")

/** Return the order of two versions; null unless both are versions. Numbers may have any length. */
internal fun compareVersions(one: String, other: String): Int? {
    val own = VERSION.matchEntire(one)?.groupValues ?: return null
    val wanted = VERSION.matchEntire(other)?.groupValues ?: return null
    for (place in 1..3) {
        val order = compareDigits(own[place].ifEmpty { "0" }, wanted[place].ifEmpty { "0" })
        if (order != 0) return order
    }
    if (own[4].isEmpty() || wanted[4].isEmpty()) return wanted[4].length.coerceAtMost(1) - own[4].length.coerceAtMost(1)
    val (parts, others) = own[4].split(".") to wanted[4].split(".")
    for (place in 0 until minOf(parts.size, others.size)) {
        val order = comparePart(parts[place], others[place])
        if (order != 0) return order
    }
    return parts.size.compareTo(others.size)
}

private fun comparePart(one: String, other: String): Int {
    val isNumber = one.all { it in '0'..'9' }
    val isOther = other.all { it in '0'..'9' }
    return when {
        isNumber && isOther -> compareDigits(one, other)
        isNumber != isOther -> if (isNumber) -1 else 1
        else -> one.compareTo(other)
    }
}

private fun compareDigits(one: String, other: String): Int =
    if (one.length != other.length) one.length.compareTo(other.length) else one.compareTo(other)
