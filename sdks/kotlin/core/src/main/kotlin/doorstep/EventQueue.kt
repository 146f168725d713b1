package doorstep

private const val EVENTS_PATH = "/api/analytics/events"
private const val MAX_EVENTS = 1_000
private const val BATCH_EVENTS = 50
private const val REQUEST_MS = 10_000L
private const val FLUSH_MS = 5_000L
private const val FLUSH_AT = 20
private const val FIRST_BACKOFF_MS = 500.0
private const val MAX_BACKOFF_MS = 30_000.0

/** Events that are never dropped for others. */
private val KEPT_EVENTS = setOf("flow_started", "flow_completed", "flow_skipped")

/** Events of the SDK. All others are events of the app, which are dropped first. */
private val BUILT_IN = Regex("(?:screen_|flow_|question_|permission_|paywall_|signup_).*|purchase|trial_started")

/** Replies that keep the events: the next request may succeed. */
private val REPEATED = setOf(401, 403, 408, 429)

/** Events on their way to the service: none is lost, and none is in the way of the others. */
internal class EventQueue(private val store: Store, private val connection: Connection, private val options: Options) {
    private val clock = options.clock

    /** Who waits for the request that is under way. */
    private val waiting = ArrayList<(Boolean) -> Unit>()
    private var cancelTimer: (() -> Unit)? = null
    private var failures = 0

    /** The time before which the service takes nothing, by `Retry-After`. */
    private var notBefore = 0L

    /** Halved while the service refuses batches as a whole. */
    private var batchEvents = BATCH_EVENTS
    private var isClosed = false

    fun add(event: QueuedEvent) {
        store.changeEvents { withRoom(it + event) }
        if (synchronized(this) { failures } == 0) sendIn(if (store.events.size >= FLUSH_AT) 0 else FLUSH_MS)
    }

    /** Send all events, until a request fails. `done` gets whether nothing waits any more. */
    fun flush(done: (Boolean) -> Unit) = store.whenReady { sendAll(done) }

    /** Send what is stored from an earlier start. */
    fun start() = store.whenReady { if (store.events.any { !it.isOwn }) sendIn(0) }

    @Synchronized
    fun close() {
        isClosed = true
        cancelTimer?.invoke()
    }

    private fun sendAll(done: (Boolean) -> Unit) {
        if (store.events.isEmpty()) done(true) else send { isSent -> if (isSent) sendAll(done) else done(false) }
    }

    @Synchronized
    private fun sendIn(milliseconds: Long) {
        if (isClosed || store.events.isEmpty() || (cancelTimer != null && milliseconds > 0)) return
        cancelTimer?.invoke()
        cancelTimer = clock.after(milliseconds) {
            synchronized(this) { cancelTimer = null }
            flush {}
        }
    }

    /** Send one batch, unless one is under way. `done` gets whether the next one can follow at once. */
    private fun send(done: (Boolean) -> Unit) {
        synchronized(this) {
            waiting.add(done)
            if (waiting.size > 1) return
        }
        val now = clock.now()
        val wait = synchronized(this) { notBefore } - now
        if (wait > 0) {
            sendIn(wait)
            finish(false)
            return
        }
        val batch = store.events.take(synchronized(this) { batchEvents })
        val body = "{\"sentAt\":\"${timestampOf(now)}\",\"events\":[${batch.joinToString(",") { it.json }}]}"
        connection.send("POST", EVENTS_PATH, body, emptyMap(), REQUEST_MS) { reply ->
            val isSent = try {
                settle(reply, batch)
            } catch (error: Exception) {
                options.warnSafely("Events cannot be sent.", error)
                false
            }
            finish(isSent)
        }
    }

    private fun finish(isSent: Boolean) {
        val all = synchronized(this) { ArrayList(waiting).also { waiting.clear() } }
        all.forEach { it(isSent) }
    }

    private fun settle(reply: Reply, batch: List<QueuedEvent>): Boolean {
        val settled = settledBy(reply, batch)
        if (settled.isNotEmpty()) {
            store.changeEvents { events -> events.filter { it.eventId !in settled } }
            if (reply.status >= 300) options.warnSafely("The service has rejected events: ${writeJson(reply.body)}")
            synchronized(this) {
                failures = 0
                if (store.events.isEmpty()) batchEvents = BATCH_EVENTS
            }
            return true
        }
        if (isHalved(reply) && batch.size > 1) {
            synchronized(this) { batchEvents = batch.size / 2 }
            return true
        }
        waitAfter(reply)
        return false
    }

    /** Full jitter: without it all devices come back at once after an outage. */
    @Synchronized
    private fun waitAfter(reply: Reply) {
        failures += 1
        val longest = minOf(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * Math.pow(2.0, failures.toDouble()))
        notBefore = if (reply.retryAfterMs > 0) clock.now() + reply.retryAfterMs else 0
        cancelTimer?.invoke()
        cancelTimer = null
        sendIn(maxOf(1, reply.retryAfterMs + (options.random() * longest).toLong()))
    }
}

/** Return the ids of the events that need not be sent again. */
private fun settledBy(reply: Reply, batch: List<QueuedEvent>): Set<String> {
    val ids = batch.map { it.eventId }
    if (reply.status in 200..299 && reply.body?.get("success") == true) {
        val named = asObjects(reply.body["results"]).map { asText(it["eventId"]) }
        // A rejected event has no id in the result; the results are in the order of the batch.
        return ids.filter { named.size == batch.size || it in named }.toSet()
    }
    val isFinal = reply.status in 400..499 && reply.status !in REPEATED && isOfService(reply)
    return if (isFinal && (!isHalved(reply) || batch.size == 1)) ids.toSet() else emptySet()
}

/** Return whether a batch is refused as a whole, perhaps for one of its events. */
private fun isHalved(reply: Reply) = (reply.status == 400 || reply.status == 413) && isOfService(reply)

/** Return whether an error is the service's answer. A portal's is not; a proxy knows what is too large. */
private fun isOfService(reply: Reply) = reply.errorCode.isNotEmpty() || reply.status == 413

/** Return the events that the queue keeps: the oldest ones of the app go first, starts and ends of flows never. */
private fun withRoom(events: List<QueuedEvent>): List<QueuedEvent> {
    val surplus = events.size - MAX_EVENTS
    if (surplus <= 0) return events
    val (builtIn, custom) = events.partition { BUILT_IN.matches(it.eventType) }
    val dropped = (custom + builtIn.filter { it.eventType !in KEPT_EVENTS }).take(surplus).toSet()
    return events.filter { it !in dropped }
}
