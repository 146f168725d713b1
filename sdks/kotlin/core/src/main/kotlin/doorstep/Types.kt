package doorstep

/** The result of a resolve. Without a flow, `status` is `none`, and all members of the flow are null. */
public data class Resolution(
    /** `flow` or `none`. */
    val status: String,
    /** The rule that chose the flow: `override`, `experiment`, `targeting` or `default`. */
    val source: String?,
    /** The flow as the service sends it: `id`, `name`, `theme`, `screens`. */
    val flow: Map<String, Any?>?,
    val flowId: String?,
    val experimentId: String?,
    val variant: String?,
    /** Where the flow came from: `network`, `stored`, `offline` (a decision on the device) or `bundled` (the app's build). */
    val origin: String,
    val configVersion: Long,
)

/** What the app knows of the device. Values that a resolve refuses are left out. */
public data class DeviceFacts(
    /** `ios` or `android`; on Android the standard is `android`. */
    val platform: String? = null,
    val appVersion: String? = null,
    val osVersion: String? = null,
    /** A language tag; the standard is that of the runtime. */
    val locale: String? = null,
    val country: String? = null,
    /** Texts, numbers and booleans. */
    val attributes: Map<String, Any> = emptyMap(),
)

/** Keeps texts by their keys. It may fail, be full or hang at any time: then the SDK goes on in memory. */
/** It is called on a thread of the SDK, one call after the other. */
public interface Storage {
    public fun get(key: String): String?

    public fun set(key: String, value: String)

    public fun remove(key: String)
}

/** Tells the time in Unix milliseconds, which may be wrong, and calls back after a time; the result cancels it. */
/** A callback is never called before `after` has returned. */
public interface Clock {
    public fun now(): Long

    public fun after(milliseconds: Long, run: () -> Unit): () -> Unit
}

public class HttpRequest(
    public val method: String,
    public val url: String,
    public val headers: Map<String, String>,
    public val body: String?,
)

/** A reply; the names of its headers are in lower case. */
public class HttpReply(public val status: Int, public val headers: Map<String, String>, public val content: String)

/** Sends requests. `done` gets the reply, or null without one, once and on any thread; `send` itself does not wait. */
public fun interface Transport {
    public fun send(request: HttpRequest, timeoutMs: Long, done: (HttpReply?) -> Unit)
}

/** An event as the service takes it. */
public class OnboardingEvent internal constructor(public val eventType: String, public val members: Map<String, Any?>)

public class Options(
    /** The address of the edge, such as `https://edge.example.com`. */
    public val baseUrl: String,
    public val projectId: String,
    public val secretKey: String,
    public val storage: Storage = memoryStorage(),
    /** Read at each resolve and at each event. */
    public val device: () -> DeviceFacts = { DeviceFacts() },
    /** The content of the file that `onboarding bundle` writes. */
    public val bundled: String? = null,
    /** The time in which `resolve` decides. */
    public val timeoutMs: Long = 2_000,
    /** Called for each event that the SDK records. */
    public val onEvent: (OnboardingEvent) -> Unit = {},
    public val warn: (message: String, error: Throwable?) -> Unit = { _, _ -> },
    public val clock: Clock = systemClock(),
    public val transport: Transport = urlTransport(clock),
    /** For the waits between requests; from 0 to 1. */
    public val random: () -> Double = { Math.random() },
)
