package dev.medley.kubernetes.resource;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * Holds what a coordinator says of its run.
 *
 * @param run its folder's name
 * @param done share of all samples, as in 42 %
 * @param loss of the last step
 * @param outcome of a run that is over: completed, interrupted, failed
 * @param message one sentence
 * @param time when it was said, ISO 8601
 */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ProgressStatus(
        @Nullable String run,
        @Nullable Long step,
        @Nullable Long samples,
        @Nullable String done,
        @Nullable String loss,
        @Nullable String samplesPerSecond,
        @Nullable Long remainingSeconds,
        @Nullable Integer workers,
        @Nullable String outcome,
        @Nullable String message,
        @Nullable String time) {}
