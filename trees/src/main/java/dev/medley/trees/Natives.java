package dev.medley.trees;

import java.util.Arrays;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import ml.dmlc.xgboost4j.java.XGBoostJNI;

/** Checks calls of XGBoost's native functions. */
final class Natives {
    /** Words of a message that tell its user nothing: places in XGBoost's code. */
    private static final String PLACES =
            "\\[[^\\]]*\\] /[^:]*:\\d+: |\\[[a-z_]+\\.(cc|h):\\d+\\|[^\\]]*\\]: ?";

    /** Marks of what XGBoost's collective says, wherever in it. */
    private static final Pattern OF_COLLECTIVE = Pattern.compile("\\[[a-z_]+\\.(cc|h):\\d+\\|");

    private static final String NO_MEMORY = "bad_alloc";

    static {
        check(XGBoostJNI.XGBSetGlobalConfig("{\"verbosity\": 0}"));
    }

    private Natives() {}

    /** Loads the library, if nobody did. */
    static void load() {
        // The class is initialized now.
    }

    /**
     * Throws what XGBoost says of a call that gave another status than 0.
     *
     * @throws PeerGoneException if its collective failed
     * @throws TreeException if anything else did
     * @throws OutOfMemoryError if there is no memory
     */
    static void check(int status) {
        if (status != 0) {
            throw failure(XGBoostJNI.XGBGetLastError());
        }
    }

    static TreeException failure(String message) {
        if (message.contains(NO_MEMORY)) {
            throw new OutOfMemoryError("XGBoost: " + sentence(message));
        }
        return OF_COLLECTIVE.matcher(message).find()
                ? new PeerGoneException(sentence(message))
                : new TreeException(sentence(message));
    }

    /** The message without the stack of native frames. */
    private static String sentence(String message) {
        String before = message.split("Stack trace", 2)[0];
        return Arrays.stream(before.split("\n"))
                .map(line -> line.replaceAll(PLACES, "").strip())
                .filter(line -> !line.isEmpty())
                .distinct()
                .collect(Collectors.joining(": "));
    }
}
