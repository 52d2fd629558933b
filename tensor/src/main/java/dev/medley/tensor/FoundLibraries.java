package dev.medley.tensor;

import java.io.IOException;
import java.lang.reflect.Field;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.bytedeco.javacpp.Loader;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the paths of the libraries that the bindings found, for the next start. The bindings search
 * for some forty, most of them of CUDA, under three names and more in each jar and at each level of
 * a package, and that costs half a second of a core in every process. A file in the folder into
 * which they unpack holds the result, for one class path and one set of settings; a line is a
 * library's name among theirs, its length and its path, or only its name where none was found, and
 * the last one says that the file is whole.
 *
 * <p>The bindings have no method for this, so this fills the map in which they keep what they found
 * before. Where they have no such map any more, or a library has changed, they search as ever. What
 * a GPU needs may be installed later on, so with a LibTorch for one nothing is kept.
 */
final class FoundLibraries {
    private static final String SETTINGS = "org.bytedeco.javacpp.";
    private static final String FOR_A_GPU = "torch_cuda";
    private static final String END = "# end";
    private static final URL[] NOWHERE = {};

    private final Path file;

    /** As a process with this one's class path and settings has them in that folder. */
    FoundLibraries(Path folder, String version) {
        this.file = folder.resolve("medley-" + version + "-" + circumstances() + ".libraries");
    }

    /** Tells the bindings what is known; false if they have to seek. */
    boolean tell() {
        Map<String, URL[]> asked = map();
        Map<String, URL[]> known = asked == null ? Map.of() : read();
        if (asked != null) {
            asked.putAll(known);
        }
        return !known.isEmpty();
    }

    /** Keeps what the bindings have found, where it can: all libraries are loaded. */
    void keep() {
        Map<String, URL[]> found = map();
        if (found == null || found.getOrDefault(FOR_A_GPU, NOWHERE).length > 0) {
            return;
        }
        try {
            write(found);
        } catch (IOException e) {
            // A full disk, say: the next start seeks as this one did.
        }
    }

    private void write(Map<String, URL[]> found) throws IOException {
        List<String> lines = new ArrayList<>();
        Map<String, String> loaded = Loader.getLoadedLibraries();
        for (String name : new TreeMap<>(found).keySet()) {
            String path = loaded.get(loadedAs(name));
            if (path == null) {
                lines.add(name);
            } else if (Files.isRegularFile(Path.of(path))) {
                lines.add(name + "\t" + Files.size(Path.of(path)) + "\t" + path);
            } // Else the system knows where it is: it is asked again.
        }
        lines.add(END);
        Path whole = Files.createTempFile(file.getParent(), "medley-", ".new");
        Files.write(whole, lines);
        Files.move(whole, file, StandardCopyOption.ATOMIC_MOVE);
    }

    /** Empty where nothing is known, or a library has changed since. */
    private Map<String, URL[]> read() {
        Map<String, URL[]> known = new HashMap<>();
        try {
            List<String> lines = Files.readAllLines(file);
            int last = lines.size() - 1;
            if (last < 0 || !lines.get(last).equals(END)) {
                return Map.of();
            }
            for (String line : lines.subList(0, last)) {
                String[] words = line.split("\t");
                if (words.length < 3) {
                    known.put(words[0], NOWHERE);
                    continue;
                }
                Path library = Path.of(words[2]);
                if (Files.size(library) != Long.parseLong(words[1])) {
                    return Map.of();
                }
                known.put(words[0], new URL[] {library.toUri().toURL()});
            }
        } catch (IOException | IllegalArgumentException e) {
            return Map.of();
        }
        return known;
    }

    /** {@code name[@version][:path][#loaded[@version]][!]}, as Loader.loadLibrary reads it. */
    private static String loadedAs(String name) {
        String bare = name.startsWith(":") ? name.substring(1) : name.split(":")[0];
        String[] halves = bare.replace("!", "").split("#");
        return halves.length > 1 && !halves[1].isEmpty() ? halves[1] : halves[0];
    }

    @SuppressWarnings("unchecked")
    private static @Nullable Map<String, URL[]> map() {
        try {
            Field found = Loader.class.getDeclaredField("foundLibraries");
            found.setAccessible(true);
            return (Map<String, URL[]>) found.get(null);
        } catch (ReflectiveOperationException | RuntimeException e) {
            return null;
        }
    }

    /** The settings that the search depends on, as one name. */
    private static String circumstances() {
        StringBuilder words = new StringBuilder();
        for (String name : List.of("java.class.path", "java.library.path")) {
            words.append(System.getProperty(name)).append('\n');
        }
        words.append(System.getenv("LD_LIBRARY_PATH")).append('\n');
        System.getProperties().stringPropertyNames().stream()
                .filter(name -> name.startsWith(SETTINGS))
                .sorted()
                .forEach(name -> words.append(name).append(System.getProperty(name)).append('\n'));
        return UUID.nameUUIDFromBytes(words.toString().getBytes(StandardCharsets.UTF_8)).toString();
    }
}
