/** Decisions by the configuration of the project (docs/bucketing.md), for devices that cannot reach the service. */
package doorstep

/** The variant that a device keeps. `variantSalt` is empty until a configuration as new as the assignment is there. */
internal data class KeptAssignment(
    val experimentId: String,
    val variant: String,
    val variantSalt: String,
    val configVersion: Long,
)

internal data class Decision(val flowId: String, val source: String, val assignment: KeptAssignment?)

/** Return the decision for a device by a configuration; null: the device gets no flow. */
internal fun decide(config: Json, device: Json, kept: KeptAssignment?): Decision? {
    val platform = device["platform"]
    if (platform != null && platform !in asList(asObject(config["settings"])["platforms"])) return null
    val deviceId = asText(device["deviceId"])
    val values = deviceValues(device)
    val flows = asObjects(config["flows"])
    val others = flows.filter { it["status"] == "active" && it["isDefault"] != true }
    val targeted = others.firstOrNull { flow ->
        val targeting = asObject(flow["targeting"])
        !isForEveryone(flow) && allHold(targeting["conditions"], values) &&
            isInside(asText(flow["id"]), asNumber(targeting["percentage"]) ?: 0.0, deviceId)
    }
    return keptVariant(config, kept)
        ?: entered(config, values, deviceId)
        ?: decision(targeted, "targeting")
        ?: decision(flows.firstOrNull { it["isDefault"] == true }, "default")
        ?: decision(others.firstOrNull(::isForEveryone), "targeting")
}

/** Return a flow of a configuration as a resolve returns it; null without it. */
internal fun flowIn(config: Json, flowId: String, locale: String?): Json? {
    val found = asObjects(config["flows"]).firstOrNull { it["id"] == flowId } ?: return null
    val flow = localized(found, asObject(config["settings"]), locale)
    val themes = asObjects(config["themes"])
    val theme = themes.firstOrNull { it["id"] == flow["themeId"] } ?: themes.firstOrNull { it["isDefault"] == true }
    val members = linkedMapOf("id" to flow["id"], "name" to flow["name"], "theme" to theme?.minus("isDefault"))
    for (name in listOf("locale", "direction", "screens", "variables")) {
        flow[name]?.let { members[name] = it }
    }
    return members
}

/** Return the salt of the variants of an experiment, empty without the experiment. */
internal fun variantSaltIn(config: Json, experimentId: String): String =
    asText(asObjects(config["experiments"]).firstOrNull { it["id"] == experimentId }?.get("variantSalt"))

private fun keptVariant(config: Json, kept: KeptAssignment?): Decision? {
    if (kept == null || kept.variantSalt.isEmpty()) return null
    val experiment = asObjects(config["experiments"])
        .firstOrNull { it["id"] == kept.experimentId && it["variantSalt"] == kept.variantSalt }
    val variant = asObjects(experiment?.get("variants")).firstOrNull { it["key"] == kept.variant } ?: return null
    return Decision(asText(variant["flowId"]), "experiment", kept)
}

private fun entered(config: Json, values: Json, deviceId: String): Decision? {
    val experiment = asObjects(config["experiments"]).firstOrNull {
        it["status"] == "running" && allHold(asObject(it["audience"])["conditions"], values) &&
            isInside(asText(it["trafficSalt"]), asNumber(it["trafficPercentage"]) ?: 0.0, deviceId)
    } ?: return null
    val salt = asText(experiment["variantSalt"])
    val bucket = bucketOf(salt, deviceId)
    val variant = asObjects(experiment["variants"]).firstOrNull { isInRanges(it["ranges"], bucket) } ?: return null
    val version = asNumber(config["configVersion"])?.toLong() ?: 0
    val assignment = KeptAssignment(asText(experiment["id"]), asText(variant["key"]), salt, version)
    return Decision(asText(variant["flowId"]), "experiment", assignment)
}

private fun decision(flow: Json?, source: String): Decision? = flow?.let { Decision(asText(it["id"]), source, null) }

private fun isForEveryone(flow: Json): Boolean {
    val targeting = asObject(flow["targeting"])
    return asList(targeting["conditions"]).isEmpty() && Math.round((asNumber(targeting["percentage"]) ?: 0.0) * 100) == 10_000L
}

/** Return what conditions see of a device. Texts of its members are trimmed, those of its attributes are not. */
internal fun deviceValues(device: Json): Json {
    val values = LinkedHashMap<String, Any?>()
    for (name in MEMBERS) {
        device[name]?.let { values[name] = if (it is String) it.trim() else it }
    }
    for ((name, value) in asObject(device["attributes"])) {
        if (value != null) values["attributes.$name"] = value
    }
    return values
}
