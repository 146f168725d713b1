/** Buckets of devices (docs/bucketing.md): MurmurHash3 x86 32-bit with seed 0 of the UTF-8 bytes of `salt:deviceId`. */
package doorstep

private const val BUCKETS = 10_000L

/** Return the bucket of a device, 0 to 9999. */
internal fun bucketOf(salt: String, deviceId: String): Int =
    ((murmur3("$salt:$deviceId".toByteArray(Charsets.UTF_8)) * BUCKETS) ushr 32).toInt()

/** Return whether a device is inside the first `percentage` per cent of the buckets. */
internal fun isInside(salt: String, percentage: Double, deviceId: String): Boolean =
    bucketOf(salt, deviceId) < Math.round(percentage * 100)

/** Return whether a bucket is in one of the half-open ranges. */
internal fun isInRanges(ranges: Any?, bucket: Int): Boolean =
    asList(ranges).any { range ->
        val (start, end) = asList(range).map(::asNumber) + listOf(null, null)
        start != null && end != null && start <= bucket && bucket < end
    }

/** Return the unsigned hash of bytes. */
internal fun murmur3(bytes: ByteArray): Long {
    fun byte(place: Int) = if (place < bytes.size) bytes[place].toInt() and 0xff else 0
    var hash = 0
    var place = 0
    while (place + 4 <= bytes.size) {
        hash = hash xor scrambled(byte(place) or (byte(place + 1) shl 8) or (byte(place + 2) shl 16) or (byte(place + 3) shl 24))
        hash = Integer.rotateLeft(hash, 13) * 5 + 0xe6546b64.toInt()
        place += 4
    }
    if (place < bytes.size) hash = hash xor scrambled(byte(place) or (byte(place + 1) shl 8) or (byte(place + 2) shl 16))
    hash = hash xor bytes.size
    hash = (hash xor (hash ushr 16)) * 0x85ebca6b.toInt()
    hash = (hash xor (hash ushr 13)) * 0xc2b2ae35.toInt()
    return (hash xor (hash ushr 16)).toLong() and 0xffffffffL
}

private fun scrambled(block: Int): Int = Integer.rotateLeft(block * 0xcc9e2d51.toInt(), 15) * 0x1b873593
