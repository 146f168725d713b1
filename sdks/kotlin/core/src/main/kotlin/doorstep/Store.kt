package doorstep

import java.util.UUID
import java.util.concurrent.Executor

private const val VERSION = 1

/** A storage that does not answer for so long is not waited for any more. */
private const val READ_MS = 1_000L

internal data class Kept(
    val deviceId: String,
    val attributes: Json = emptyMap(),
    /** The newest token of an assignment. */
    val token: String = "",
    val assignment: KeptAssignment? = null,
    /** The last answer of the service; null before the first one. */
    val resolved: Resolution? = null,
    /** The configuration with the highest version, and its ETag. */
    val config: Json? = null,
    val etag: String = "",
    /** How each flow ended on this device. */
    val outcomes: Json = emptyMap(),
    /** The visit that the app draws itself. */
    val visit: Json? = null,
)

/** An event in the queue. Its text is made once, because the state is written often. */
internal class QueuedEvent(val eventId: String, val eventType: String, val json: String, val isOwn: Boolean)

/**
 * The state of the SDK on the device: one text under one key, written whole and in order. A storage that fails, is full or
 * hangs costs the state of the next start, and nothing else.
 */
internal class Store(private val options: Options, private val background: Executor) {
    private val key = "doorstep.${options.projectId}"
    private val waiting = ArrayList<() -> Unit>()
    private var isReady = false

    /** Whether the stored state was read; before that nothing is written over it. */
    private var isRead = false

    /** The changes before that. */
    private val early = ArrayList<(Kept) -> Kept>()
    private var isWriteQueued = false
    private var keptText: Pair<Kept, String>? = null

    @get:Synchronized
    var kept = Kept(newId())
        private set

    @get:Synchronized
    var events: List<QueuedEvent> = emptyList()
        private set

    fun open() {
        val cancel = options.clock.after(READ_MS) { ready() }
        background.execute {
            val found = attempt("The stored state cannot be read.") { options.storage.get(key) }
            load(found)
            cancel()
            ready()
        }
    }

    /** Call back when the stored state is there, or storage has failed or was too slow. */
    fun whenReady(run: () -> Unit) {
        synchronized(this) {
            if (!isReady) {
                waiting.add(run)
                return
            }
        }
        run()
    }

    /** Change the state, and keep it. */
    @Synchronized
    fun change(changes: (Kept) -> Kept) {
        kept = changes(kept)
        if (!isRead) early.add(changes)
        write()
    }

    /** Change the queue of events, and keep it. */
    @Synchronized
    fun changeEvents(changes: (List<QueuedEvent>) -> List<QueuedEvent>) {
        events = changes(events)
        write()
    }

    /** Forget everything. The device gets another id. */
    @Synchronized
    fun reset() {
        kept = Kept(newId())
        events = emptyList()
        val fresh = kept
        if (!isRead) early.add { fresh }
        write()
    }

    private fun ready() {
        val called = synchronized(this) {
            isReady = true
            ArrayList(waiting).also { waiting.clear() }
        }
        called.forEach { it() }
    }

    @Synchronized
    private fun load(found: String?) {
        val (stored, queue) = read(found)
        isRead = true
        val own = events
        events = queue + own
        if (stored != null) kept = early.fold(stored) { known, changes -> changes(known) }
        if (stored == null || own.isNotEmpty() || early.isNotEmpty()) write()
        early.clear()
    }

    private fun write() {
        if (!isRead || isWriteQueued) return
        isWriteQueued = true
        background.execute {
            val content = synchronized(this) {
                isWriteQueued = false
                content()
            }
            attempt("The state cannot be stored.") { options.storage.set(key, content) }
        }
    }

    private fun content(): String {
        val text = keptText?.takeIf { it.first === kept }?.second ?: writeJson(jsonOf(kept)).also { keptText = kept to it }
        return "{\"version\":$VERSION,\"kept\":$text,\"events\":[${events.joinToString(",") { it.json }}]}"
    }

    private fun <Value> attempt(message: String, run: () -> Value): Value? =
        try {
            run()
        } catch (error: Exception) {
            options.warnSafely(message, error)
            null
        }
}

internal fun newId(): String = UUID.randomUUID().toString()

internal fun Options.warnSafely(message: String, error: Throwable? = null) {
    runCatching { warn("doorstep: $message", error) }
}

private fun jsonOf(kept: Kept): Json = mapOf(
    "deviceId" to kept.deviceId, "attributes" to kept.attributes, "token" to kept.token,
    "assignment" to kept.assignment?.let {
        mapOf(
            "experimentId" to it.experimentId, "variant" to it.variant, "variantSalt" to it.variantSalt,
            "configVersion" to it.configVersion,
        )
    },
    "resolved" to kept.resolved?.let {
        mapOf(
            "status" to it.status, "source" to it.source, "flow" to it.flow, "experimentId" to it.experimentId,
            "variant" to it.variant, "configVersion" to it.configVersion,
        )
    },
    "config" to kept.config, "etag" to kept.etag, "outcomes" to kept.outcomes, "visit" to kept.visit,
)

/** Return the state in a text; null for a text that this release did not write. */
private fun read(found: String?): Pair<Kept?, List<QueuedEvent>> {
    val document = found?.let(::parseObject).orEmpty()
    val kept = asObject(document["kept"])
    val deviceId = asText(kept["deviceId"])
    if (asNumber(document["version"]) != VERSION.toDouble() || deviceId.isEmpty()) return null to emptyList()
    val events = asObjects(document["events"])
        .filter { asText(it["eventId"]).isNotEmpty() && asText(it["eventType"]).isNotEmpty() }
        .map { QueuedEvent(asText(it["eventId"]), asText(it["eventType"]), writeJson(it), false) }
    val state = Kept(
        deviceId, asObject(kept["attributes"]), asText(kept["token"]),
        kept["assignment"]?.let(::asObject)?.let {
            val version = asNumber(it["configVersion"])?.toLong() ?: 0
            KeptAssignment(asText(it["experimentId"]), asText(it["variant"]), asText(it["variantSalt"]), version)
        },
        kept["resolved"]?.let(::asObject)?.let(::readResolution),
        kept["config"]?.let(::asObject), asText(kept["etag"]), asObject(kept["outcomes"]), kept["visit"]?.let(::asObject),
    )
    return state to events
}

private fun readResolution(stored: Json): Resolution? {
    val version = asNumber(stored["configVersion"])?.toLong() ?: 0
    val flow = asObject(stored["flow"])
    return when {
        stored["status"] == "none" -> nothing("stored", version)
        isFlow(flow) -> Resolution(
            "flow", asText(stored["source"]), flow, asText(flow["id"]), asText(stored["experimentId"]).ifEmpty { null },
            asText(stored["variant"]).ifEmpty { null }, "stored", version,
        )
        else -> null
    }
}
