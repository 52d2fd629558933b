package dev.medley.store.object;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Says which object a store did not give or take, and why. */
public final class StoreFailure extends IOException {
    private static final long serialVersionUID = 1L;

    StoreFailure(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    /**
     * The store's failure behind that of a file into which an object was to come: the disk is not
     * to blame. The same failure where there is none.
     */
    public static IOException behind(IOException failure) {
        for (Throwable at = failure; at != null; at = at.getCause()) {
            if (at instanceof StoreFailure found) {
                return found;
            }
        }
        return failure;
    }
}
