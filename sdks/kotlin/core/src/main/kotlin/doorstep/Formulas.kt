/** The values of formulas (docs/logic.md). A missing value is null. */
package doorstep

private const val MAX_DIGITS = 15

/** Return the value of a tree for values by their names; null if it is missing. */
internal fun evaluate(tree: Any?, values: Json): Any? {
    if (tree !is List<*>) return tree
    val name = tree.firstOrNull() as? String ?: return null
    val parts = tree.drop(1)
    return when (name) {
        "get" -> values[asText(parts.firstOrNull())]
        "today" -> values["today"]
        "if" -> (evaluate(parts.getOrNull(0), values) as? Boolean)?.let { evaluate(parts.getOrNull(if (it) 1 else 2), values) }
        "coalesce" -> parts.asSequence().map { evaluate(it, values) }.firstOrNull { it != null }
        else -> {
            val given = parts.map { evaluate(it, values) ?: return null }
            val value = called(name, given)
            // The sum turns -0 into 0.
            if (value is Number) value.toDouble().takeIf { it.isFinite() }?.plus(0.0) else value
        }
    }
}

/** Return the names that a tree reads. */
internal fun namesIn(tree: Any?): List<String> =
    when {
        tree !is List<*> -> emptyList()
        tree.firstOrNull() == "get" -> listOf(asText(tree.getOrNull(1)))
        else -> tree.flatMap(::namesIn)
    }

private fun called(name: String, given: List<Any>): Any? {
    val numbers = given.map { (it as? Number)?.toDouble() ?: Double.NaN }
    val areNumbers = given.all { it is Number }
    val (first, second) = given + listOf(Unit, Unit)
    fun of(calculate: (List<Double>) -> Double?): Double? = if (areNumbers && given.isNotEmpty()) calculate(numbers) else null
    fun ofTwo(calculate: (Double, Double) -> Double?): Double? =
        if (areNumbers && given.size == 2) calculate(numbers[0], numbers[1]) else null
    fun ofBooleans(calculate: (List<Boolean>) -> Boolean): Boolean? =
        if (given.all { it is Boolean }) calculate(given.map { it as Boolean }) else null
    return when (name) {
        "+" -> ofTwo { x, y -> x + y }
        "-" -> of { if (it.size == 1) -it[0] else it[0] - it[1] }
        "*" -> ofTwo { x, y -> x * y }
        "/" -> ofTwo { x, y -> x / y }
        "==" -> isSame(first, second)
        "!=" -> !isSame(first, second)
        "<" -> orderOf(first, second)?.let { it < 0 }
        "<=" -> orderOf(first, second)?.let { it <= 0 }
        ">" -> orderOf(first, second)?.let { it > 0 }
        ">=" -> orderOf(first, second)?.let { it >= 0 }
        "and" -> ofBooleans { it.all { one -> one } }
        "or" -> ofBooleans { it.any { one -> one } }
        "not" -> ofBooleans { !it[0] }
        "round" -> of { round(it[0], it.getOrElse(1) { 0.0 }) }
        "floor" -> of { Math.floor(it[0]) }
        "ceil" -> of { Math.ceil(it[0]) }
        "abs" -> of { Math.abs(it[0]) }
        "min" -> of { it.minOrNull() }
        "max" -> of { it.maxOrNull() }
        "pow" -> ofTwo { x, y -> Math.pow(x, y) }
        "contains" -> contains(first, second)
        "count" -> (first as? List<*>)?.size?.toDouble()
        "concat" -> if (given.any { it is List<*> }) null else given.joinToString("") { plainText(it) }
        "lookup" -> lookup(given)
        "date_add" -> dateAdd(first, (second as? Number)?.toDouble(), given.getOrNull(2))
        "days_between" -> {
            val (from, to) = dayOf(first) to dayOf(second)
            if (from == null || to == null) null else (to - from).toDouble()
        }
        else -> null
    }
}

/** Return a text, a number or a boolean as JavaScript writes it. */
internal fun plainText(value: Any?): String = if (value is Number) plainNumber(value.toDouble()) else value.toString()

private fun lookup(given: List<Any>): Any? {
    for (place in 1 until given.size - 1 step 2) {
        if (isSame(given[place], given[0])) return given[place + 1]
    }
    return given.lastOrNull()
}

/** Numbers have an order, and texts have one by their UTF-16 code units, which is that of dates. */
private fun orderOf(one: Any?, other: Any?): Int? =
    when {
        one is Number && other is Number -> one.toDouble().compareTo(other.toDouble())
        one is String && other is String -> one.compareTo(other)
        else -> null
    }

private fun contains(given: Any?, value: Any?): Boolean? =
    when {
        given is List<*> -> given.any { isSame(it, value) }
        given is String && value is String -> value in given
        else -> null
    }

/** Return a number that is rounded half away from zero. Negative digits are places before the decimal point. */
private fun round(x: Double, digits: Double): Double? {
    if (digits != Math.floor(digits) || Math.abs(digits) > MAX_DIGITS) return null
    val scale = ("1e" + Math.abs(digits).toInt()).toDouble()
    val scaled = Math.floor((if (digits < 0) Math.abs(x) / scale else Math.abs(x) * scale) + 0.5)
    return Math.signum(x) * (if (digits < 0) scaled * scale else scaled / scale)
}

private val DATE = Regex("([0-9]{4})-([0-9]{2})-([0-9]{2})")
private const val FIRST_DAY = -719_162L
private const val LAST_DAY = 2_932_896L

/** Return the days since 1970 of a date `YYYY-MM-DD`; null for everything else. */
internal fun dayOf(value: Any?): Long? {
    val (year, month, day) = (value as? String)?.let(DATE::matchEntire)?.destructured ?: return null
    val days = daysOf(year.toLong(), month.toInt(), day.toInt())
    return days.takeIf { month.toInt() in 1..12 && dateOf(it) == value }
}

/** Return the date of days since 1970; null outside of the years 1 to 9999. */
private fun dateOf(days: Long): String? {
    if (days !in FIRST_DAY..LAST_DAY) return null
    val shifted = days + 719_468
    val era = Math.floorDiv(shifted, 146_097L)
    val dayOfEra = shifted - era * 146_097
    val yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    val dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    val shiftedMonth = (5 * dayOfYear + 2) / 153
    val month = if (shiftedMonth < 10) shiftedMonth + 3 else shiftedMonth - 9
    val year = yearOfEra + era * 400 + (if (month <= 2) 1 else 0)
    val day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    return listOf(year.toString().padStart(4, '0'), twoDigits(month), twoDigits(day)).joinToString("-")
}

/** Return the days since 1970 of a date of the Gregorian calendar. */
private fun daysOf(givenYear: Long, month: Int, day: Int): Long {
    val year = if (month <= 2) givenYear - 1 else givenYear
    val era = Math.floorDiv(year, 400L)
    val yearOfEra = year - era * 400
    val dayOfYear = (153 * (month + (if (month > 2) -3 else 9)) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
}

internal fun twoDigits(value: Any): String = value.toString().padStart(2, '0')

internal fun lastDayOf(year: Long, month: Int): Int {
    val next = if (month == 12) daysOf(year + 1, 1, 1) else daysOf(year, month + 1, 1)
    return (next - daysOf(year, month, 1)).toInt()
}

private fun dateAdd(date: Any?, count: Double?, unit: Any?): String? {
    val start = dayOf(date)
    if (start == null || count == null || count != Math.floor(count) || Math.abs(count) > 1e7) return null
    return when (unit) {
        "day" -> dateOf(start + count.toLong())
        "week" -> dateOf(start + count.toLong() * 7)
        "month" -> {
            val (year, month, day) = (date as String).split("-").map(String::toLong)
            val months = year * 12 + month - 1 + count.toLong()
            val (newYear, newMonth) = Math.floorDiv(months, 12L) to Math.floorMod(months, 12L).toInt() + 1
            dateOf(daysOf(newYear, newMonth, minOf(day.toInt(), lastDayOf(newYear, newMonth))))
        }
        else -> null
    }
}
