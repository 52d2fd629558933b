package dev.medley.kubernetes.operator;

import dev.medley.kubernetes.desired.OperatorDefaults;
import java.nio.file.Path;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Holds how an operator works.
 *
 * @param namespaces whose jobs it looks after; empty for all
 * @param defaults of jobs that do not say otherwise
 * @param threads that reconcile jobs at the same time
 * @param lease in whose namespace one operator at a time is at work; empty to do without
 * @param health folder of the files by which probes see how it is; null for none
 */
public record OperatorOptions(
        Set<String> namespaces,
        OperatorDefaults defaults,
        int threads,
        String lease,
        @Nullable Path health) {
    private static final int USUAL_THREADS = 8;

    public OperatorOptions {
        namespaces = Set.copyOf(namespaces);
    }

    /** All namespaces, alone. */
    public static OperatorOptions of(OperatorDefaults defaults) {
        return new OperatorOptions(Set.of(), defaults, USUAL_THREADS, "", null);
    }
}
