package dev.medley.loop.rollout;

import dev.medley.serving.registry.TrafficPlan;

/**
 * Remembers a version that servers try.
 *
 * @param version that is tried
 * @param champion beside which
 * @param form of the trial
 * @param beganMs when this form began, milliseconds since 1970
 * @param why it is tried
 */
public record VersionTrial(
        int version, int champion, TrafficPlan.Form form, long beganMs, String why) {}
