/** What a visit of a flow shows and asks for. */
package doorstep

/** A button of a screen. */
public data class Button(
    val label: String,
    val action: String,
    val url: String = "",
    /** What an action of the app's own gets. */
    val data: Map<String, Any?> = emptyMap(),
)

/**
 * A part of a screen that only an app can do: `permission`, `purchase`, `signup`, `rating`, `restore`, `action` or `step`. The
 * future has a text (`granted`, `purchased`, `ok`), or a map as docs/app-in-flow.md has it.
 */
public data class Request(
    val type: String,
    val permission: String? = null,
    val productId: String? = null,
    val method: String? = null,
    val name: String? = null,
    val data: Map<String, Any?> = emptyMap(),
    val screenId: String? = null,
    val answers: Map<String, Any?> = emptyMap(),
    val next: String? = null,
)

/** What there is to see of a visit. `screen` is null when the flow is over; its texts have the values of their names. */
public data class FlowState(
    val screenId: String?,
    val screenType: String?,
    val screen: Map<String, Any?>?,
    val answers: Map<String, Any?>,
    val variables: Map<String, Any?>,
    val path: List<String>,
    /** The share of a flow with logic that was shown, from 0 to 1. */
    val progress: Double,
    val canGoBack: Boolean,
    /** Whether the flow waits for the app. */
    val isBusy: Boolean,
    /** Why the app keeps the present screen: its words, an empty text where it has not answered, else null. */
    val notice: String?,
    val isOver: Boolean,
    /** `completed` or `skipped`. */
    val outcome: String?,
)

public data class FlowResult(
    val outcome: String,
    val answers: Map<String, Any?>,
    val variables: Map<String, Any?>,
    val flowId: String,
    val variant: String?,
)
