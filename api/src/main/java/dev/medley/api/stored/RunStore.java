package dev.medley.api.stored;

import static dev.medley.base.ConfigException.check;

import dev.medley.base.ConfigException;
import dev.medley.base.job.StoreUrl;
import dev.medley.record.folder.RunFolder;
import dev.medley.store.file.AtomicFolder;
import dev.medley.store.object.ObjectStore;
import dev.medley.store.object.StoreFailure;
import dev.medley.store.object.StoredObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.LongConsumer;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Finds runs that are kept in an object store, each below its name, and brings them to this
 * machine.
 *
 * <p>Thread: one at a time.
 */
public final class RunStore {
    private static final String IDENTITY = "/run.json";
    private static final Pattern MANIFEST = Pattern.compile(".*/step-(\\d{1,18})/manifest\\.json");

    private static final String PROBE = ".writable";
    private static final int ATTEMPTS = 3;

    private final StoreUrl url;
    private final UnaryOperator<@Nullable String> environment;

    /**
     * Those below a folder.
     *
     * @param environment a variable's value, null if it is not set: see {@link ObjectStore#open}
     */
    public RunStore(StoreUrl url, UnaryOperator<@Nullable String> environment) {
        this.url = url;
        this.environment = environment;
    }

    /**
     * Brings one run, so that it can be gone on with.
     *
     * @param run {@code s3://BUCKET/FOLDER/RUN}
     * @param runs folder into which it comes, under its name
     * @param environment a variable's value, null if it is not set
     * @param progress told the bytes that have come
     * @throws ConfigException if there is no such run, or one of its name is here
     */
    public static RunFolder fetch(
            String run,
            Path runs,
            UnaryOperator<@Nullable String> environment,
            LongConsumer progress) {
        StoreUrl whole = StoreUrl.of("--resume", run);
        int slash = whole.folder().lastIndexOf('/');
        String name = whole.folder().substring(slash + 1);
        check(!name.isEmpty(), "--resume %s: of which run? Its name goes behind", run);
        String parent = slash < 0 ? "" : whole.folder().substring(0, slash);
        StoreUrl folder = new StoreUrl(whole.scheme(), whole.bucket(), parent);
        return new RunStore(folder, environment).fetch(name, runs, progress);
    }

    /** The name of the newest run there is, by the time in its name. */
    public Optional<String> newest() {
        try (ObjectStore store = ObjectStore.open(url, environment)) {
            return store.list("").stream()
                    .map(StoredObject::name)
                    .filter(name -> name.endsWith(IDENTITY) && name.indexOf('/') > 0)
                    .map(name -> name.substring(0, name.length() - IDENTITY.length()))
                    .filter(name -> name.indexOf('/') < 0)
                    .max(Comparator.naturalOrder());
        } catch (IOException e) {
            throw new ConfigException(String.valueOf(e.getMessage()), e);
        }
    }

    /** Brings a run into a folder of runs; see {@link #fetch}. */
    public RunFolder fetch(String name, Path runs, LongConsumer progress) {
        Path target = runs.resolve(name);
        check(
                !Files.exists(target),
                "%s/%s: %s is here already: --resume %s goes on with that; move it away to go on"
                        + " with what is in the store",
                url,
                name,
                target,
                name);
        try (ObjectStore store = ObjectStore.open(url, environment)) {
            List<StoredObject> all =
                    store.list(name).stream()
                            .filter(object -> !object.name().contains("/."))
                            .toList();
            check(
                    all.stream().anyMatch(object -> object.name().equals(name + IDENTITY)),
                    "%s/%s: there is no run of this name",
                    url,
                    name);
            long bytes = all.stream().mapToLong(StoredObject::bytes).sum();
            AtomicFolder.write(
                    target,
                    bytes,
                    folder -> {
                        long before = 0;
                        for (StoredObject object : all) {
                            String below = object.name().substring(name.length() + 1);
                            Path file =
                                    new StoredObject(below, object.bytes(), object.version())
                                            .in(folder);
                            Files.createDirectories(file.getParent());
                            long come = before;
                            fetch(store, object, file, now -> progress.accept(come + now));
                            before += object.bytes();
                        }
                    });
        } catch (IOException e) {
            throw new ConfigException(String.valueOf(StoreFailure.behind(e).getMessage()), e);
        }
        return RunFolder.at(target);
    }

    /**
     * One that is replaced or taken away meanwhile belongs to a run that still goes on. What came
     * may then begin as one version and end as another, or be too short: it comes again.
     */
    private static void fetch(
            ObjectStore store, StoredObject listed, Path file, LongConsumer progress)
            throws IOException {
        StoredObject asked = listed;
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            IOException trouble = null;
            try {
                store.fetch(asked.name(), asked.bytes(), file, progress);
            } catch (IOException e) {
                trouble = e;
            }
            Optional<StoredObject> now = store.look(asked.name());
            if (now.isPresent() && now.get().equals(asked)) {
                if (trouble != null) {
                    throw trouble;
                }
                return;
            }
            Files.deleteIfExists(file);
            if (now.isEmpty()) {
                return;
            }
            asked = now.get();
        }
        throw new IOException(
                "%s changes while it is fetched: does this run still go on elsewhere?"
                        .formatted(asked.name()));
    }

    /**
     * Throws if a run went on elsewhere since this folder was left: to go on with the folder would
     * put its older record in place of the newer one.
     *
     * @param run a folder that is about to be gone on with
     * @param here step of its checkpoint; 0 where it has none
     * @throws ConfigException if the store has a later checkpoint, or cannot be asked
     */
    public void requireNoLater(RunFolder run, long here) {
        try (ObjectStore store = ObjectStore.open(url, environment)) {
            long there =
                    store.list(run.name() + "/" + run.checkpoints().getFileName()).stream()
                            .map(object -> MANIFEST.matcher(object.name()))
                            .filter(Matcher::matches)
                            .mapToLong(step -> Long.parseLong(step.group(1)))
                            .max()
                            .orElse(0);
            check(
                    there <= here,
                    "%s is at step %,d, and at step %,d in %s: it went on elsewhere. Move this"
                            + " folder away, and go on with --resume %s/%s",
                    run.path(),
                    here,
                    there,
                    url,
                    url,
                    run.name());
        } catch (IOException e) {
            throw new ConfigException("checkpoint.store: " + e.getMessage(), e);
        }
    }

    /**
     * Throws if nothing can be written there: said before a run begins.
     *
     * @throws ConfigException what the store says
     */
    public void requireWritable() {
        try (ObjectStore store = ObjectStore.open(url, environment)) {
            store.write(PROBE, new byte[] {1});
        } catch (IOException e) {
            throw new ConfigException("checkpoint.store: " + e.getMessage(), e);
        }
    }
}
