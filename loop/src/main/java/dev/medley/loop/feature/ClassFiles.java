package dev.medley.loop.feature;

import dev.medley.base.ConfigException;
import dev.medley.base.Sha256;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.jspecify.annotations.Nullable;

/**
 * Holds the files of jars and folders in memory, so that what is loaded is what was hashed,
 * whatever happens to the files meanwhile.
 *
 * @param paths of the jars and folders, for messages
 * @param files by name; of two with one name the first counts
 */
record ClassFiles(List<Path> paths, Map<String, byte[]> files) {
    private static final long LARGEST_BYTES = 256L << 20;
    private static final String CLASS = ".class";

    ClassFiles {
        paths = List.copyOf(paths);
        files = new TreeMap<>(files);
    }

    /** Reads all. */
    static ClassFiles read(List<Path> paths) {
        Map<String, byte[]> files = new TreeMap<>();
        for (Path path : paths) {
            ConfigException.check(
                    Files.isReadable(path), "class_path: there is no jar or folder %s", path);
            try {
                if (Files.isDirectory(path)) {
                    folder(path, files);
                } else {
                    jar(path, files);
                }
            } catch (IOException e) {
                throw new ConfigException(
                        "class_path: %s cannot be read as a jar: %s".formatted(path, e), e);
            }
        }
        return new ClassFiles(paths, files);
    }

    private static void folder(Path folder, Map<String, byte[]> files) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path file : all.filter(Files::isRegularFile).toList()) {
                String name = folder.relativize(file).toString().replace('\\', '/');
                try (InputStream in = Files.newInputStream(file)) {
                    add(name, in, folder, files);
                }
            }
        }
    }

    private static void jar(Path jar, Map<String, byte[]> files) throws IOException {
        int entries = 0;
        try (ZipInputStream in = new ZipInputStream(Files.newInputStream(jar))) {
            for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
                entries++;
                if (!entry.isDirectory()) {
                    add(entry.getName(), in, jar, files);
                }
            }
        }
        ConfigException.check(entries > 0, "class_path: %s is no jar, or an empty one", jar);
    }

    private static void add(String name, InputStream in, Path from, Map<String, byte[]> files)
            throws IOException {
        long there = files.values().stream().mapToLong(bytes -> bytes.length).sum();
        byte[] bytes = in.readNBytes((int) Math.max(0, LARGEST_BYTES - there) + 1);
        ConfigException.check(
                there + bytes.length <= LARGEST_BYTES,
                "class_path: %s: with it there are more than %d MiB of classes: name smaller jars",
                from,
                LARGEST_BYTES >> 20);
        files.putIfAbsent(name, bytes);
    }

    /** What tells these classes from others: not times, nor what a build notes of itself. */
    String sha256() {
        MessageDigest digest = Sha256.digest();
        files.forEach(
                (name, bytes) -> {
                    boolean isNote =
                            name.equals("META-INF/MANIFEST.MF")
                                    || name.startsWith("META-INF/maven/");
                    if (!isNote) {
                        digest.update(
                                "%s %d\n"
                                        .formatted(name, bytes.length)
                                        .getBytes(StandardCharsets.UTF_8));
                        digest.update(bytes);
                    }
                });
        return HexFormat.of().formatHex(digest.digest());
    }

    /** Names of the classes. */
    List<String> classNames() {
        return files.keySet().stream()
                .filter(name -> name.endsWith(CLASS) && !name.startsWith("META-INF/"))
                .map(name -> name.substring(0, name.length() - CLASS.length()).replace('/', '.'))
                .toList();
    }

    /** Loads them; they come before the program's own of the same name. */
    ClassLoader loader() {
        return new InMemory(files);
    }

    private static final class InMemory extends ClassLoader {
        /** What both sides speak of is one and the same. */
        private static final List<String> SHARED =
                List.of("java.", "org.jspecify.", InMemory.class.getPackageName() + ".");

        private final Map<String, byte[]> files;

        InMemory(Map<String, byte[]> files) {
            super("feature", InMemory.class.getClassLoader());
            this.files = files;
        }

        @Override
        protected Class<?> loadClass(String name, boolean isResolved)
                throws ClassNotFoundException {
            byte[] bytes = files.get(name.replace('.', '/') + CLASS);
            if (bytes == null || SHARED.stream().anyMatch(name::startsWith)) {
                return super.loadClass(name, isResolved);
            }
            synchronized (getClassLoadingLock(name)) {
                Class<?> there = findLoadedClass(name);
                return there != null ? there : defineClass(name, bytes, 0, bytes.length);
            }
        }

        @Override
        public @Nullable InputStream getResourceAsStream(String name) {
            byte[] bytes = files.get(name);
            return bytes == null
                    ? super.getResourceAsStream(name)
                    : new ByteArrayInputStream(bytes);
        }
    }
}
