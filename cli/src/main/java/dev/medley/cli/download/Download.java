package dev.medley.cli.download;

import dev.medley.base.ConfigException;
import dev.medley.cli.download.PublicSet.RemoteFile;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.function.LongConsumer;

/**
 * Fetches one file. What has arrived lies in {@code TARGET.part}, where a later attempt goes on;
 * the target appears only whole, with size and checksum verified.
 */
public final class Download {
    private static final int BUFFER_BYTES = 1 << 16;
    private static final int PARTIAL = 206;
    private static final int OK = 200;
    private static final int RANGE_REFUSED = 416;

    private final HttpClient client =
            HttpClient.newBuilder()
                    .followRedirects(HttpClient.Redirect.NORMAL)
                    .connectTimeout(Duration.ofSeconds(20))
                    .build();

    /** How a file came to be there. */
    public enum Result {
        /** It was there before, whole and right. */
        PRESENT,
        FETCHED,
        /** A part was there; the rest was fetched. */
        RESUMED
    }

    /**
     * Makes sure that {@code target} holds {@code file}.
     *
     * @param base an address that takes the place of the publisher's folder; empty for the
     *     publisher's own
     * @param progress is told the bytes that have arrived so far
     * @throws ConfigException if the publisher's file is not the one that is known, or cannot be
     *     reached; what has arrived stays for the next attempt unless it is wrong
     */
    public Result fetch(RemoteFile file, String base, Path target, LongConsumer progress) {
        try {
            Path whole = target.resolveSibling(file.fileName() + ".part");
            if (isRight(target, file)) {
                return Result.PRESENT;
            }
            Files.createDirectories(target.toAbsolutePath().getParent());
            long before = Files.exists(whole) ? Files.size(whole) : 0;
            if (before < file.bytes()) {
                transfer(file, base, whole, progress);
            }
            verify(file, whole);
            Rewriting.apply(file, whole, target);
            return before > 0 ? Result.RESUMED : Result.FETCHED;
        } catch (IOException e) {
            throw new ConfigException(
                    "%s cannot be fetched to %s: %s; run the command again to go on"
                            .formatted(address(file, base), target, reason(e)),
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new UncheckedIOException(new IOException("interrupted", e));
        }
    }

    private static String reason(IOException e) {
        return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    }

    /** A file that was rewritten cannot be compared with its publisher's; its presence counts. */
    private static boolean isRight(Path target, RemoteFile file) throws IOException {
        if (!Files.isRegularFile(target)) {
            return false;
        }
        boolean isOriginal = file.rewrite() == RemoteFile.Rewrite.NONE && file.head().isEmpty();
        return !isOriginal
                || (Files.size(target) == file.bytes() && sha256(target).equals(file.sha256()));
    }

    private static String address(RemoteFile file, String base) {
        return base.isEmpty() ? file.url() : base.replaceFirst("/*$", "/") + file.fileName();
    }

    private void transfer(RemoteFile file, String base, Path part, LongConsumer progress)
            throws IOException, InterruptedException {
        long have = Files.exists(part) ? Files.size(part) : 0;
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(address(file, base)))
                        .timeout(Duration.ofMinutes(2))
                        .header("User-Agent", "medley");
        if (have > 0) {
            request.header("Range", "bytes=" + have + "-");
        }
        HttpResponse<InputStream> response =
                client.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
        try (InputStream body = response.body()) {
            switch (response.statusCode()) {
                case OK -> copy(body, part, 0, file, progress);
                case PARTIAL -> copy(body, part, have, file, progress);
                case RANGE_REFUSED -> {
                    Files.delete(part);
                    throw new IOException("the part that was there does not fit; it was removed");
                }
                default -> throw new IOException("the server answers " + response.statusCode());
            }
        }
    }

    private static void copy(
            InputStream body, Path part, long have, RemoteFile file, LongConsumer progress)
            throws IOException {
        StandardOpenOption how =
                have > 0 ? StandardOpenOption.APPEND : StandardOpenOption.TRUNCATE_EXISTING;
        long total = have;
        try (OutputStream out =
                Files.newOutputStream(
                        part, StandardOpenOption.CREATE, StandardOpenOption.WRITE, how)) {
            byte[] buffer = new byte[BUFFER_BYTES];
            for (int n = body.read(buffer); n >= 0; n = body.read(buffer)) {
                out.write(buffer, 0, n);
                total += n;
                progress.accept(total);
                if (total > file.bytes()) {
                    break; // Another file than the one that is known: verify says so.
                }
            }
        }
        if (total < file.bytes()) {
            throw new IOException(
                    "the connection ended after %d of %d bytes".formatted(total, file.bytes()));
        }
    }

    private static void verify(RemoteFile file, Path part) throws IOException {
        long bytes = Files.size(part);
        String hash = sha256(part);
        if (bytes != file.bytes() || !hash.equals(file.sha256())) {
            Files.delete(part);
            throw new ConfigException(
                    "%s is not the file that is known: %d bytes with SHA-256 %s, expected %d with %s;"
                                    .formatted(file.url(), bytes, hash, file.bytes(), file.sha256())
                            + " it was removed, nothing was changed");
        }
    }

    /** Puts a finished file into its place. */
    static void move(Path from, Path to) throws IOException {
        try {
            Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
        } catch (AtomicMoveNotSupportedException e) {
            Files.move(from, to, StandardCopyOption.REPLACE_EXISTING);
        }
    }

    private static String sha256(Path path) throws IOException {
        try (InputStream in = Files.newInputStream(path)) {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            byte[] buffer = new byte[BUFFER_BYTES];
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                digest.update(buffer, 0, n);
            }
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
