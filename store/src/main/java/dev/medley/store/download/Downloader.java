package dev.medley.store.download;

import dev.medley.base.ConfigException;
import dev.medley.store.file.AtomicFile;
import dev.medley.store.file.WritableFolder;
import dev.medley.store.file.WriteFailure;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Fetches known data sets. A file arrives as {@code NAME.part} and gets its name when its length
 * and checksum are right, so a file under its name is whole. A transfer that broke off is resumed,
 * by this call or by the next. A file that is tidied is verified before.
 *
 * <p>Thread: one call at a time for one folder.
 */
public final class Downloader {
    private final DownloadOptions options;
    private final HttpClient client;

    /** A downloader; proxies are those of the JVM's settings. */
    public Downloader(DownloadOptions options) {
        this.options = options;
        this.client =
                HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_1_1)
                        .followRedirects(HttpClient.Redirect.NORMAL)
                        .connectTimeout(Duration.ofNanos(options.connectTimeoutNs()))
                        .build();
    }

    /**
     * Brings all files of {@code set} into {@code folder}. Those that are there and whole are left
     * as they are. A {@link ConfigException} says what failed at which address, and what to do;
     * what has arrived stays for the next call.
     */
    public List<DownloadedFile> get(KnownDataSet set, Path folder, DownloadProgress progress) {
        try {
            WritableFolder.require(folder, missingBytes(set, folder));
            List<DownloadedFile> files = new ArrayList<>();
            for (KnownFile file : set.files()) {
                files.add(get(file, folder.resolve(file.keptName()), progress));
            }
            return files;
        } catch (IOException e) {
            throw WriteFailure.of(folder, set.bytes(), e).asConfigException();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ConfigException(
                    set.name() + ": interrupted; the same command again continues", e);
        }
    }

    private DownloadedFile get(KnownFile file, Path path, DownloadProgress progress)
            throws IOException, InterruptedException {
        if (Files.exists(path)) {
            return alreadyHere(file, path);
        }
        Path part = part(file, path);
        List<String> failures = new ArrayList<>();
        for (URI url : file.urls()) {
            Fetch fetch = new Fetch(client, options, file, url, part);
            String failure = fetch.run(bytes -> progress.at(file, bytes));
            if (failure.isEmpty()) {
                publish(file, part, path);
                progress.at(file, file.bytes());
                return new DownloadedFile(path, file.bytes(), file.sha256(), fetch.origin());
            }
            failures.add(url + ": " + failure);
        }
        throw new ConfigException(
                ("%s was not downloaded: %s; %d of %d bytes are here,"
                                + " the same command again continues")
                        .formatted(
                                file.name(),
                                String.join("; ", failures),
                                Fetch.sizeOf(part),
                                file.bytes()));
    }

    private static void publish(KnownFile file, Path part, Path path) throws IOException {
        if (file.tidied() == null) {
            AtomicFile.publish(part, path);
        } else {
            file.tidied().write(part, path);
            Files.delete(part);
        }
    }

    /** A tidied file is no longer the published one: that it is there must do. */
    private static DownloadedFile alreadyHere(KnownFile file, Path path) throws IOException {
        String mismatch = file.tidied() == null ? Fetch.mismatch(file, path) : "";
        if (!mismatch.isEmpty()) {
            throw new ConfigException(
                    ("%s: is here but is not the published file: %s;"
                                    + " move it away, or choose another folder")
                            .formatted(path, mismatch));
        }
        return new DownloadedFile(
                path, file.bytes(), file.sha256(), DownloadedFile.Origin.ALREADY_HERE);
    }

    /** The least room that the folder must have. */
    private static long missingBytes(KnownDataSet set, Path folder) throws IOException {
        long missing = 0;
        for (KnownFile file : set.files()) {
            Path path = folder.resolve(file.keptName());
            missing +=
                    Files.exists(path)
                            ? 0
                            : Math.max(0, file.bytes() - Fetch.sizeOf(part(file, path)));
        }
        return missing;
    }

    private static Path part(KnownFile file, Path path) {
        return path.resolveSibling(file.name() + ".part");
    }
}
