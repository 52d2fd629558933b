package dev.medley.worker;

import dev.medley.base.ConfigException;
import dev.medley.data.shard.OriginGoneException;
import dev.medley.net.control.Message.FailureKind;
import java.io.IOException;

/** Says of what ends a worker whose matter it is: the job's, this machine's, or a bug's. */
final class Trouble {
    private Trouble() {}

    /**
     * What kind of failure it is.
     *
     * @param isRemote whether the worker's machine has disks and ports of its own: what is wrong
     *     with those is no reason for other machines to stop
     */
    static FailureKind kind(Throwable end, boolean isRemote) {
        if (end instanceof TaskException ofTask) {
            return ofTask.kind();
        } else if (end instanceof OriginGoneException) {
            return FailureKind.CUT_OFF;
        } else if (end instanceof ConfigException) {
            return isRemote && comesOfFiles(end) ? FailureKind.CUT_OFF : FailureKind.INPUT;
        }
        return isOutOfMemory(end) ? FailureKind.OUT_OF_MEMORY : FailureKind.BUG;
    }

    private static boolean comesOfFiles(Throwable end) {
        for (Throwable cause = end.getCause(); cause != null; cause = cause.getCause()) {
            if (cause instanceof IOException) {
                return true;
            }
        }
        return false;
    }

    /** LibTorch reports a failed allocation as an ordinary exception with these words in it. */
    private static boolean isOutOfMemory(Throwable e) {
        String message = String.valueOf(e.getMessage());
        return e instanceof OutOfMemoryError
                || message.contains("can't allocate memory")
                || message.contains("not enough memory")
                || message.contains("CUDA out of memory")
                || message.contains("bad_alloc");
    }
}
