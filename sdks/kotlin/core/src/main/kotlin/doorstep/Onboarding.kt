package doorstep

import java.net.URLEncoder
import java.util.Locale
import java.util.concurrent.CompletableFuture
import java.util.concurrent.CopyOnWriteArrayList
import java.util.concurrent.Executor

private val EVENT_TYPE = Regex("[a-z][a-z0-9_.]{0,63}")
private const val MAX_PROPERTIES = 16_384
private val PREVIEW_LINK = Regex("https?://[^/?#]+(?:/[^?#]*)?/s/[^/?#]+/onboarding/[^/?#]+/[0-9]+(?:[?#].*)?")

/** What changed, for subscribers. */
public enum class Change { LINK, ATTRIBUTES, RESET, RESOLUTION }

/**
 * The client of a project. It reads its storage, and sends events that an earlier start has left. All methods return at
 * once, may be called from any thread, and throw nothing. Futures complete on a thread of the SDK, and never fail.
 */
public class Onboarding internal constructor(private val options: Options, background: Executor) : java.io.Closeable {
    public constructor(options: Options) : this(options, threads(1))

    private val connection = Connection(options)
    private val store = Store(options, background)
    private val queue = EventQueue(store, connection, options)
    private val resolver = Resolver(store, connection, options)
    private val listeners = CopyOnWriteArrayList<(Change) -> Unit>()

    /** The last result of `resolve`. */
    @Volatile
    public var resolution: Resolution? = null
        private set

    /** The preview link that `handleLink` took, until the app has shown it. */
    @Volatile
    public var link: String? = null
        private set

    init {
        store.open()
        queue.start()
    }

    /** Return the flow for this device within `timeoutMs`. */
    @JvmOverloads
    public fun resolve(attributes: Map<String, Any> = emptyMap(), locale: String? = null): CompletableFuture<Resolution> {
        val result = CompletableFuture<Resolution>()
        resolver.resolve({ device(attributes, locale) }) { found ->
            resolution = found
            notify(Change.RESOLUTION)
            result.complete(found)
        }
        return result
    }

    /**
     * Begin the visit of a flow that the app draws itself, or go on with the one that the last start has left. The session
     * reports its events. Do not start a flow that a hosted page shows: a page reports its own. `ask` gets what only the app
     * can do; the flow waits for its future, and takes a default without one.
     */
    @JvmOverloads
    public fun start(resolution: Resolution, ask: ((Request) -> CompletableFuture<*>?)? = null): FlowSession {
        val flow = resolution.flow.orEmpty()
        val flowId = resolution.flowId.orEmpty()
        val config = resolver.configuration().orEmpty()
        val kept = store.kept.visit?.takeIf { it["flowId"] == flowId }
        val sessionId = kept?.let { asText(it["sessionId"]) } ?: newId()
        val device = device()
        val experiment = if (resolution.experimentId != null && resolution.variant != null) {
            mapOf("experimentId" to resolution.experimentId, "variant" to resolution.variant)
        } else {
            emptyMap()
        }
        val common = mapOf("flowId" to flowId) + experiment + ("sessionId" to sessionId)
        val language = flow["locale"] ?: device["locale"] ?: "en"
        val visit = Visit(
            context = device,
            language = language.toString(),
            recordAnswers = asObject(config["settings"])["recordAnswers"] == true,
            variant = resolution.variant,
            stored = asObject(kept?.get("state")),
            record = { eventType, screenId, properties ->
                val members = common + listOfNotNull(screenId?.let { "screenId" to it }, properties?.let { "properties" to it })
                if (flowId.isNotEmpty()) record(eventType, members)
            },
            save = { state ->
                store.change { it.copy(visit = state?.let { mapOf("flowId" to flowId, "sessionId" to sessionId, "state" to state) }) }
            },
            finish = { outcome ->
                finish(flowId, outcome)
                flush()
            },
            ask = ask,
            after = options.clock::after,
        )
        return FlowSession(readFlow(flow, asText(config["name"])), visit)
    }

    /** Record an event of the app. Properties have at most 16 KiB as JSON. */
    @JvmOverloads
    public fun track(type: String, properties: Map<String, Any?>? = null) {
        record(type, if (properties == null) emptyMap() else mapOf("properties" to properties))
    }

    /** Set attributes of the device for targeting, beside those of the options. They are kept; null removes one. */
    public fun setAttributes(attributes: Map<String, Any?>) {
        store.change { kept -> kept.copy(attributes = (kept.attributes + attributes).filterValues { it != null }) }
        notify(Change.ATTRIBUTES)
    }

    /** Name the user, as the attribute `user_id`, so that flows can be targeted at users. */
    public fun identify(userId: String): Unit = setAttributes(mapOf("user_id" to userId))

    /** Forget everything: the device id, answers, attributes, and the events that were not sent. */
    public fun reset() {
        store.reset()
        resolution = null
        link = null
        notify(Change.RESET)
    }

    /** Send the events that wait. The future is completed with true if nothing waits any more. */
    public fun flush(): CompletableFuture<Boolean> {
        val result = CompletableFuture<Boolean>()
        queue.flush { result.complete(it) }
        return result
    }

    /** Send the events that wait, and stop. Call `flush` when the app goes to the background. */
    override fun close() {
        flush()
        queue.close()
        listeners.clear()
    }

    /** Fetch the configuration and the flow. */
    public fun preload(): CompletableFuture<Unit> = resolve().thenCombine(configure()) { _, _ -> }

    /** Fetch the configuration, at most once a minute, for decisions without the service. */
    public fun configure(): CompletableFuture<Unit> = resolver.configure()

    /** Return true for a preview link of this service, which the app shows next. */
    public fun handleLink(url: String): Boolean {
        val domain = asText(asObject(resolver.configuration()?.get("settings"))["customDomain"])
        val places = listOf(options.baseUrl.trimEnd('/'), "https://$domain".takeIf { domain.isNotEmpty() })
        val isOurs = PREVIEW_LINK.matches(url) && places.any { it != null && url.startsWith("$it/s/") }
        if (isOurs) {
            link = url
            notify(Change.LINK)
        }
        return isOurs
    }

    /** Forget the link, because the app has shown it. */
    public fun clearLink() {
        link = null
    }

    /** Return the address of the hosted page of a flow, with the context of the device; null without the service. */
    public fun page(flowId: String): CompletableFuture<String?> {
        val result = CompletableFuture<String?>()
        val path = "/api/global-config?apiKey=${encoded(options.secretKey)}&projectId=${encoded(options.projectId)}"
        connection.send("GET", path, null, emptyMap(), options.timeoutMs) { reply ->
            val base = asText(reply.body?.get("backendDomain")).takeIf { reply.status == 200 && it.isNotEmpty() }
            result.complete(base?.let { "$it/onboarding/${encoded(flowId)}/1?${context()}" })
        }
        return result
    }

    /** Return how a flow ended on this device before, `completed` or `skipped`; null if it did not. */
    public fun outcomeOf(flowId: String): String? = store.kept.outcomes[flowId] as? String

    /** Keep how a flow ended on this device. A completed flow stays completed. */
    public fun finish(flowId: String, outcome: String): Unit = store.change { kept ->
        if (kept.outcomes[flowId] == "completed") kept else kept.copy(outcomes = kept.outcomes + (flowId to outcome))
    }

    /** Call back after changes. Call the result to end it. */
    public fun subscribe(listener: (Change) -> Unit): () -> Unit {
        listeners.add(listener)
        return { listeners.remove(listener) }
    }

    private fun record(eventType: String, members: Json) {
        try {
            val device = device()
            val known = mapOf(
                "platform" to device["platform"], "appVersion" to device["appVersion"], "locale" to resolution?.flow?.get("locale"),
            ).filterValues { it != null }
            val event = mapOf(
                "eventId" to newId(),
                "eventType" to eventType,
                "timestamp" to timestampOf(options.clock.now()),
                "deviceId" to device["deviceId"],
            ) + known + members
            val properties = writeJson(members["properties"] ?: emptyMap<String, Any?>())
            if (!EVENT_TYPE.matches(eventType) || properties.toByteArray(Charsets.UTF_8).size > MAX_PROPERTIES) {
                options.warnSafely("The event $eventType is not recorded: its type or its properties are refused by the service.")
                return
            }
            queue.add(QueuedEvent(asText(event["eventId"]), eventType, writeJson(event), true))
            options.onEvent(OnboardingEvent(eventType, event))
        } catch (error: Exception) {
            options.warnSafely("The event cannot be recorded.", error)
        }
    }

    /** Return what pages and resolves know of the device. */
    private fun device(attributes: Json = emptyMap(), locale: String? = null): Json {
        val facts = runCatching { options.device() }.getOrDefault(DeviceFacts())
        val kept = store.kept
        return deviceOf(facts, kept.deviceId, facts.attributes + kept.attributes + attributes, locale)
    }

    private fun context(): String {
        val device = device()
        val attributes = device["attributes"]?.let { mapOf("attributes" to writeJson(it)) }.orEmpty()
        val token = store.kept.token.takeIf { it.isNotEmpty() }?.let { mapOf("assignmentToken" to it) }.orEmpty()
        return (device - "attributes" + attributes + token + ("bridge" to "2"))
            .map { (name, value) -> "$name=${encoded(value.toString())}" }.joinToString("&")
    }

    private fun encoded(value: String): String = URLEncoder.encode(value, "UTF-8").replace("+", "%20")

    private fun notify(change: Change) {
        for (listener in listeners) {
            runCatching { listener(change) }.onFailure { options.warnSafely("A listener has failed.", it) }
        }
    }
}

private val LOCALE = Regex("(?:[A-Za-z]{2,8}|[xXiI](?=-))(?:-[A-Za-z0-9]{1,8})*")
private val COUNTRY = Regex("[A-Za-z]{2}")
private const val MAX_ATTRIBUTES = 50
private const val MAX_NAME = 128
private const val MAX_TEXT = 1_024
private const val MAX_FIELD = 128
private const val MAX_LOCALE = 64

/** Return the device as a resolve takes it. */
private fun deviceOf(facts: DeviceFacts, deviceId: String, attributes: Json, locale: String?): Json {
    val isAndroid = System.getProperty("java.vm.name") == "Dalvik"
    val tag = (locale ?: facts.locale ?: Locale.getDefault().toLanguageTag()).trim().replace('_', '-')
    val short = { value: String? -> value?.trim()?.takeIf { it.length in 1..MAX_FIELD } }
    val taken = attributes.filter { (name, value) ->
        val isNumber = value is Number && value.toDouble().isFinite()
        name.length in 1..MAX_NAME && (value is Boolean || isNumber || (value is String && value.length <= MAX_TEXT))
    }.entries.take(MAX_ATTRIBUTES).associate { it.key to it.value }
    val device = mapOf(
        "deviceId" to deviceId,
        "platform" to (facts.platform ?: "android".takeIf { isAndroid })?.takeIf { it == "ios" || it == "android" },
        "appVersion" to short(facts.appVersion),
        "osVersion" to short(facts.osVersion),
        "locale" to tag.takeIf { LOCALE.matches(it) && it.length <= MAX_LOCALE && it != "und" },
        "country" to facts.country?.trim()?.takeIf(COUNTRY::matches),
        "attributes" to taken.takeIf { it.isNotEmpty() },
    )
    return device.filterValues { it != null }
}
