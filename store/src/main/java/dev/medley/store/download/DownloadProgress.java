package dev.medley.store.download;

/** Receives the progress of a download, some times a second, on the thread that asked for it. */
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
