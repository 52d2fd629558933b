package dev.medley.kubernetes.resource;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** Holds the definition of the resource MedleyJob, as it is applied to a cluster. */
public final class JobDefinition {
    /** The kind, as API servers know it. */
    public static final String NAME = "medleyjobs.medley.dev";

    private JobDefinition() {}

    /** The definition as YAML. */
    public static String yaml() {
        try (InputStream in = JobDefinition.class.getResourceAsStream("medleyjobs.yaml")) {
            if (in == null) {
                throw new IllegalStateException("medleyjobs.yaml is not in the jar");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
