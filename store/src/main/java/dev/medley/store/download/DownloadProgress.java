package dev.medley.store.download;

/** Hears how far a download is; called on the thread that asked for it, some times a second. */
@FunctionalInterface
public interface DownloadProgress {
    /** Hears nothing. */
    DownloadProgress NONE = (file, bytesDone) -> {};

    /**
     * So many bytes of {@code file} are here.
     *
     * @param file its name and length
     * @param bytesDone of its length; less than before when a server cannot resume
     */
    void at(KnownFile file, long bytesDone);
}
