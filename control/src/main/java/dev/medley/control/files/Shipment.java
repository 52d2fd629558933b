package dev.medley.control.files;

import dev.medley.base.ConfigException;
import dev.medley.base.job.StoreUrl;
import dev.medley.store.file.Checksum;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Files that belong together and are needed where a worker runs: a prepared set, a jar, a folder of
 * classes, a model, a checkpoint.
 *
 * @param key the plain file name that it is kept under at its destination; equal keys hold equal
 *     files
 * @param root absolute path of the folder or file on the coordinator's machine
 * @param bytes of each file, by its name within the root; the root's own name if it is a file
 * @param depot the object store that holds a copy, {@code s3://BUCKET/FOLDER}; null where only the
 *     coordinator's machine has the files
 * @param inParts names of files of a prepared set that are not sent: each worker asks for the
 *     blocks that it reads
 */
public record Shipment(
        String key,
        String root,
        Map<String, Long> bytes,
        @Nullable String depot,
        Set<String> inParts) {
    private static final String BY_CONTENT = "content-";

    /** Larger than any jar: models and checkpoints, which check themselves when they are read. */
    private static final long COMPARED_BYTES = 1L << 30;

    public Shipment {
        PlainName.require(key, "shipment");
        bytes = Map.copyOf(bytes);
        inParts = Set.copyOf(inParts);
    }

    /**
     * All of a file or folder but what begins with a dot.
     *
     * @param except names that are left out
     */
    public static Shipment of(String key, Path root, List<String> except) {
        Path absolute = root.toAbsolutePath().normalize();
        Map<String, Long> bytes = new TreeMap<>();
        try (Stream<Path> tree = Files.walk(absolute)) {
            for (Path file : new ArrayList<>(tree.filter(Files::isRegularFile).toList())) {
                String name = name(absolute, file);
                if (!except.contains(name) && !name.startsWith(".")) {
                    bytes.put(name, Files.size(file));
                }
            }
        } catch (IOException e) {
            throw new ConfigException(absolute + " cannot be sent to the workers: " + e, e);
        }
        return new Shipment(key, absolute.toString(), bytes, null, Set.of());
    }

    /** All of a file or folder, under a key that follows from its bytes. */
    public static Shipment ofContent(Path root) {
        Shipment any = of("any", root, List.of());
        Path name = Path.of(any.root()).getFileName();
        String key = any.keyOfContent(any::file) + name;
        return new Shipment(key, any.root(), any.bytes(), null, Set.of());
    }

    private String keyOfContent(Function<String, Path> where) {
        StringBuilder digests = new StringBuilder();
        for (String name : bytes.keySet().stream().sorted().toList()) {
            digests.append(name).append(' ').append(checksum(where.apply(name))).append('\n');
        }
        Checksum all = Checksum.start(Checksum.Kind.XXH64);
        all.update(ByteBuffer.wrap(digests.toString().getBytes(StandardCharsets.UTF_8)));
        return BY_CONTENT + all.hex() + "-";
    }

    /**
     * Whether these files lie at {@code place}: equal names and lengths, and of a small shipment
     * whose key follows from its bytes, equal bytes. A jar that was built anew is often as long as
     * before.
     */
    public boolean isAt(Path place) {
        boolean isAlike =
                bytes.entrySet().stream()
                        .allMatch(file -> length(place, file.getKey()) == file.getValue());
        boolean isCompared = key.startsWith(BY_CONTENT) && totalBytes() <= COMPARED_BYTES;
        return isAlike && (!isCompared || isEqualAt(place));
    }

    private boolean isEqualAt(Path place) {
        try {
            return key.startsWith(keyOfContent(name -> isFile() ? place : place.resolve(name)));
        } catch (ConfigException unreadable) {
            return false;
        }
    }

    private long length(Path place, String name) {
        try {
            return Files.size(isFile() ? place : place.resolve(name));
        } catch (IOException e) {
            return -1;
        }
    }

    /** The same, a copy of which lies in that object store. */
    public Shipment in(StoreUrl store) {
        return new Shipment(key, root, bytes, store.toString(), inParts);
    }

    /** The same without the content of that file, the blocks of which come one by one. */
    public Shipment inParts(String file) {
        return new Shipment(key, root, bytes, depot, Set.of(file));
    }

    /** All files together. */
    public long totalBytes() {
        return bytes.values().stream().mapToLong(Long::longValue).sum();
    }

    /** Those that are sent as a whole. */
    public long bytesSent() {
        return bytes.entrySet().stream()
                .filter(file -> !inParts.contains(file.getKey()))
                .mapToLong(Map.Entry::getValue)
                .sum();
    }

    /** Whether the root is one file. */
    public boolean isFile() {
        return bytes.size() == 1 && Path.of(root).endsWith(bytes.keySet().iterator().next());
    }

    /** Where a file of it lies on the coordinator's machine. */
    public Path file(String name) {
        return isFile() ? Path.of(root) : Path.of(root).resolve(name);
    }

    /**
     * Where a file of it comes to lie below {@code folder}.
     *
     * @throws IOException if its name leads out of the folder
     */
    public Path below(Path folder, String name) throws IOException {
        Path within = Path.of(name).normalize();
        if (within.getRoot() != null || within.startsWith("..")) {
            throw new IOException("a file outside its folder: " + name);
        }
        return folder.resolve(within);
    }

    private static String checksum(Path file) {
        try {
            return Checksum.of(file, Checksum.Kind.XXH64);
        } catch (IOException e) {
            throw new ConfigException(file + " cannot be read: " + e, e);
        }
    }

    private static String name(Path root, Path file) {
        Path within = file.equals(root) ? file.getFileName() : root.relativize(file);
        return within.toString().replace('\\', '/');
    }
}
