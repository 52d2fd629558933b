package dev.medley.data.dataset;

import dev.medley.base.Json;
import dev.medley.base.Sha256;
import dev.medley.base.Version;
import dev.medley.base.job.DataFormat;
import dev.medley.base.job.DataSpec;
import dev.medley.data.shard.InputFiles;
import dev.medley.data.shard.PreparationProgress;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;

/**
 * Computes names for data: by content (slow, sure) and by path, size and time (fast, a shortcut to
 * it).
 */
final class Fingerprint {
    private static final int BUFFER_BYTES = 1 << 18;

    private Fingerprint() {}

    /** SHA-256 over lengths and contents of files, in order, in hex. */
    static String ofContents(List<Path> files, PreparationProgress progress) {
        MessageDigest digest = Sha256.digest();
        byte[] buffer = new byte[BUFFER_BYTES];
        for (int i = 0; i < files.size(); i++) {
            progress.at("hashing files", i, files.size());
            try (InputStream in = Files.newInputStream(files.get(i))) {
                // Else a piece that moves from the end of one to the beginning of the next is none.
                digest.update(
                        ByteBuffer.allocate(Long.BYTES).putLong(Files.size(files.get(i))).flip());
                for (int count; (count = in.read(buffer)) > 0; ) {
                    digest.update(buffer, 0, count);
                }
            } catch (IOException e) {
                throw InputFiles.broken(files.get(i), e);
            }
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    /**
     * Changes when a file is written again, moved or replaced, or when it is judged by instead of
     * learnt from.
     */
    static String ofTimes(Inputs inputs, DataSpec spec, long seed) throws IOException {
        return ofTimes(inputs, spec, seed, Version.build());
    }

    /** The same of another build, which may check and encode otherwise. */
    static String ofTimes(Inputs inputs, DataSpec spec, long seed, String build)
            throws IOException {
        StringBuilder text = new StringBuilder(options(inputs.format(), spec, seed, build));
        text.append(inputs.train().size());
        for (Path file : inputs.all()) {
            text.append('\n')
                    .append(file.toAbsolutePath().normalize())
                    .append(' ')
                    .append(Files.size(file))
                    .append(' ')
                    .append(
                            Files.getLastModifiedTime(file)
                                    .to(java.util.concurrent.TimeUnit.NANOSECONDS));
        }
        return of(text.toString());
    }

    /** The key of a prepared set: contents, file names, options, seed and build. */
    static String ofSet(Inputs inputs, String dataHash, DataSpec spec, long seed) {
        return ofSet(inputs, dataHash, spec, seed, Version.build());
    }

    /** The same of another build, which may check and encode otherwise. */
    static String ofSet(Inputs inputs, String dataHash, DataSpec spec, long seed, String build) {
        List<String> names =
                Stream.concat(inputs.train().stream(), inputs.validation().stream())
                        .map(Fingerprint::lastTwoNames)
                        .toList();
        return of(
                options(inputs.format(), spec, seed, build)
                        + dataHash
                        + inputs.train().size()
                        + Json.line(names));
    }

    /** SHA-256 of a text in hex, cut to 32 digits. */
    static String of(String text) {
        return Sha256.hex(text).substring(0, 32);
    }

    /** Folder and name: images are classed by folder. */
    private static String lastTwoNames(Path file) {
        int names = file.getNameCount();
        return file.subpath(Math.max(0, names - 2), names).toString();
    }

    /**
     * All options that change what is prepared, and by what: not where files are, not the limits of
     * caches.
     */
    private static String options(DataFormat format, DataSpec spec, long seed, String build) {
        String options = build + plainOptions(format, spec, seed);
        String more = spec.group() == null ? "" : "ranked by " + spec.group();
        return options + more + (spec.series() == null ? "" : Json.line(spec.series()));
    }

    private static String plainOptions(DataFormat format, DataSpec spec, long seed) {
        return Json.line(
                List.of(
                        PreparedData.VERSION,
                        format,
                        String.valueOf(spec.label()),
                        String.valueOf(spec.weight()),
                        Json.line(spec.split()),
                        spec.task(),
                        spec.table(),
                        spec.image(),
                        spec.text(),
                        seed));
    }
}
