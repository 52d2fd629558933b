package dev.medley.onnx.engine;

import ai.onnxruntime.OrtEnvironment;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Makes the environment of ONNX Runtime. Version 1.29 looks at the process's command line by
 * regular expressions that recurse with each character of it, and a long class path ends the
 * process with no word (vespa-engine/vespa#37786). A thread with a deep stack has room for that;
 * {@code ORT_DISABLE_TELEMETRY=1}, which our script sets, spares it.
 */
final class OrtHome {
    private static final long STACK_BYTES = 512L << 20;
    private static @Nullable OrtEnvironment environment;

    private OrtHome() {}

    static synchronized OrtEnvironment environment() {
        OrtEnvironment known = environment;
        if (known == null) {
            known = make();
            environment = known;
        }
        return known;
    }

    private static OrtEnvironment make() {
        CompletableFuture<OrtEnvironment> made = new CompletableFuture<>();
        Runnable work =
                () -> {
                    try {
                        made.complete(OrtEnvironment.getEnvironment("medley"));
                    } catch (RuntimeException | Error e) {
                        made.completeExceptionally(e);
                    }
                };
        new Thread(null, work, "medley-onnxruntime", STACK_BYTES).start();
        return made.join();
    }
}
