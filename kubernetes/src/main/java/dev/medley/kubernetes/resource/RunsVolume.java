package dev.medley.kubernetes.resource;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.fabric8.kubernetes.api.model.Quantity;
import org.jspecify.annotations.Nullable;

/**
 * Says where a run's folder lies, so that it outlives the coordinator's pod.
 *
 * @param claim a volume claim that is there; null to have one made
 * @param size of the one that is made
 * @param path a folder on the volume
 */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record RunsVolume(
        @Nullable String claim,
        @Nullable Quantity size,
        @Nullable String storageClass,
        @Nullable String path) {}
