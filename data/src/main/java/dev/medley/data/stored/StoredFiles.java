package dev.medley.data.stored;

import static dev.medley.base.ConfigException.check;

import dev.medley.base.ConfigException;
import dev.medley.base.job.DataSpec;
import dev.medley.base.job.StoreUrl;
import dev.medley.data.shard.PreparationProgress;
import dev.medley.store.object.ObjectStore;
import dev.medley.store.object.StoredObject;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Fetches what a job names by {@code s3://BUCKET/KEY}. A key is an object, a folder or a pattern,
 * as paths of files are. Copies are kept below the cache of data, under the bucket's name and the
 * keys', so that messages name them; what has not changed in the store since is not fetched again,
 * and what is not in the store any more is taken away.
 *
 * <p>Thread: the caller's.
 */
public final class StoredFiles {
    private static final String FOLDER = "stored";

    private final Path root;
    private final PreparationProgress progress;
    private final UnaryOperator<@Nullable String> environment;

    /**
     * Copies below a folder.
     *
     * @param cacheFolder of data
     * @param progress told how far it is, on the caller's thread
     * @param environment a variable's value, null if it is not set: see {@link ObjectStore#open}
     */
    public StoredFiles(
            Path cacheFolder,
            PreparationProgress progress,
            UnaryOperator<@Nullable String> environment) {
        this.root = cacheFolder.resolve(FOLDER);
        this.progress = progress;
        this.environment = environment;
    }

    /**
     * The same data, of files of this machine alone.
     *
     * @throws ConfigException if an entry names nothing, or cannot be fetched
     */
    public DataSpec here(DataSpec spec) {
        boolean isHere =
                spec.train().stream().noneMatch(StoreUrl::isUrl)
                        && spec.validation().stream().noneMatch(StoreUrl::isUrl);
        return isHere
                ? spec
                : spec.reading(
                        here("data.train", spec.train()),
                        here("data.validation", spec.validation()));
    }

    /** The path of one entry's files. */
    public String here(String entry) {
        return here("data", List.of(entry)).get(0);
    }

    private List<String> here(String key, List<String> entries) {
        return entries.stream()
                .map(entry -> StoreUrl.isUrl(entry) ? fetched(key, entry) : entry)
                .toList();
    }

    /** The path or the pattern of the copies of one entry. */
    private String fetched(String key, String entry) {
        StoreUrl url = StoreUrl.ofData(key, entry);
        if (url.scheme() == StoreUrl.Scheme.FILE) {
            return url.folder();
        }
        StoreUrl bucket = url.wholeBucket();
        Path folder = root.resolve(bucket.bucket());
        try (ObjectStore store = ObjectStore.open(bucket, environment)) {
            Copies copies = new Copies(bucket, folder, progress, environment);
            String below = folderOf(url.folder());
            boolean isPattern = !below.equals(url.folder());
            Optional<StoredObject> single =
                    isPattern || below.isEmpty() ? Optional.empty() : store.look(below);
            if (single.isPresent()) {
                copies.bring(List.of(single.get()));
                return single.get().in(folder).toString();
            }
            List<StoredObject> all = seen(below, store.list(below));
            List<StoredObject> wanted = isPattern ? matching(entry, url.folder(), below, all) : all;
            requireFiles(entry, wanted);
            check(
                    !wanted.isEmpty(),
                    "%s: there is no object of this name, nor one below it that matches",
                    entry);
            copies.keepOnly(below, all);
            copies.bring(wanted);
            return folder.resolve(url.folder()).toString();
        } catch (IOException e) {
            throw new ConfigException("%s: %s".formatted(key, e.getMessage()), e);
        }
    }

    /** A key up to its first wildcard. */
    private static String folderOf(String key) {
        for (int i = 0; i < key.length(); i++) {
            if ("*?[{".indexOf(key.charAt(i)) >= 0) {
                return key.substring(0, Math.max(0, key.lastIndexOf('/', i)));
            }
        }
        return key;
    }

    /** A bucket may have an object of the name of a folder; files may not. */
    private static void requireFiles(String entry, List<StoredObject> wanted) {
        Set<String> names = wanted.stream().map(StoredObject::name).collect(Collectors.toSet());
        for (String name : names) {
            for (int i = name.indexOf('/'); i >= 0; i = name.indexOf('/', i + 1)) {
                check(
                        !names.contains(name.substring(0, i)),
                        "%s: %s is an object and a folder, too, which no file can be: name the"
                                + " objects or the folder alone",
                        entry,
                        name.substring(0, i));
            }
        }
    }

    /** Without what is hidden, as of folders of files. */
    private static List<StoredObject> seen(String below, List<StoredObject> all) {
        int prefix = below.isEmpty() ? 0 : below.length() + 1;
        List<StoredObject> seen = new ArrayList<>();
        for (StoredObject object : all) {
            List<String> names = Arrays.asList(object.name().substring(prefix).split("/"));
            if (names.stream().noneMatch(name -> name.startsWith("."))) {
                seen.add(object);
            }
        }
        return seen;
    }

    private static List<StoredObject> matching(
            String entry, String key, String below, List<StoredObject> all) {
        int prefix = below.isEmpty() ? 0 : below.length() + 1;
        List<StoredObject> named =
                all.stream().filter(object -> object.name().equals(key)).toList();
        if (!named.isEmpty()) {
            return named; // One whose name has such letters.
        }
        List<StoredObject> inFolder =
                all.stream().filter(object -> object.name().startsWith(key + "/")).toList();
        if (!inFolder.isEmpty()) {
            return inFolder;
        }
        try {
            PathMatcher matcher =
                    FileSystems.getDefault().getPathMatcher("glob:" + key.substring(prefix));
            return all.stream()
                    .filter(object -> matcher.matches(Path.of(object.name().substring(prefix))))
                    .toList();
        } catch (PatternSyntaxException e) {
            throw new ConfigException(
                    "%s: there is no such object, and it is no pattern of names: %s"
                            .formatted(entry, e.getDescription()),
                    e);
        }
    }
}
