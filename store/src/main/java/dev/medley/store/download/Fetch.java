package dev.medley.store.download;

import dev.medley.store.file.Checksum;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;

/**
 * Fetches one file from one address: request after request, until its part is complete and right or
 * the address is given up.
 *
 * <p>Thread: used by one thread, once.
 */
final class Fetch {
    private final HttpClient client;
    private final DownloadOptions options;
    private final KnownFile file;
    private final URI url;
    private final Path part;

    /** Whether the part holds bytes of more than one response. */
    private boolean isContinued;

    Fetch(HttpClient client, DownloadOptions options, KnownFile file, URI url, Path part) {
        this.client = client;
        this.options = options;
        this.file = file;
        this.url = url;
        this.part = part;
    }

    /** Why the part is not the file, or nothing: then it is. */
    String run(LongConsumer progress) throws IOException, InterruptedException {
        if (sizeOf(part) > file.bytes()) {
            Files.delete(part);
        }
        isContinued = sizeOf(part) == file.bytes();
        String failure = fetchAndCheck(progress);
        boolean isMixed = !failure.isEmpty() && isContinued && !Files.exists(part);
        if (isMixed) { // the earlier bytes may be those of another file: once from the start
            isContinued = false;
            failure = fetchAndCheck(progress);
        }
        return failure;
    }

    /** How the file came here; asked after {@link #run}. */
    DownloadedFile.Origin origin() {
        return isContinued ? DownloadedFile.Origin.RESUMED : DownloadedFile.Origin.FETCHED;
    }

    /** What differs from the file that was published, or nothing. */
    static String mismatch(KnownFile file, Path path) throws IOException {
        long bytes = Files.size(path);
        String sha256 = Checksum.of(path, Checksum.Kind.SHA256);
        return bytes == file.bytes() && sha256.equals(file.sha256())
                ? ""
                : "%d bytes with SHA-256 %s, not %d with %s"
                        .formatted(bytes, sha256, file.bytes(), file.sha256());
    }

    static long sizeOf(Path path) throws IOException {
        return Files.exists(path) ? Files.size(path) : 0;
    }

    /** A part that is complete but wrong is of no use to anybody and is removed. */
    private String fetchAndCheck(LongConsumer progress) throws IOException, InterruptedException {
        String failure = fetch(progress);
        if (failure.isEmpty()) {
            failure = mismatch(file, part);
            if (!failure.isEmpty()) {
                Files.delete(part);
            }
        }
        return failure;
    }

    private String fetch(LongConsumer progress) throws IOException, InterruptedException {
        int fruitless = 0;
        while (sizeOf(part) < file.bytes() || !Files.exists(part)) {
            long before = sizeOf(part);
            Transfer transfer = new Transfer(url, part, file.bytes());
            Transfer.Outcome outcome = transfer.run(client, options, progress);
            isContinued = before > 0 && transfer.isContinued();
            if (outcome instanceof Transfer.Outcome.Complete) {
                break;
            }
            if (outcome instanceof Transfer.Outcome.Refused refused) {
                return refused.why();
            }
            if (outcome instanceof Transfer.Outcome.StartOver) {
                Files.deleteIfExists(part);
            }
            fruitless = sizeOf(part) > before ? 0 : fruitless + 1;
            if (fruitless >= options.attempts()) {
                return "%s (%d attempts in a row)".formatted(outcome.why(), fruitless);
            }
            pause(options.pauseNs(fruitless));
        }
        return "";
    }

    private static void pause(long ns) throws InterruptedException {
        LockSupport.parkNanos(ns); // waking early only shortens the pause
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
    }
}
