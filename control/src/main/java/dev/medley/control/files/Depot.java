package dev.medley.control.files;

import dev.medley.base.Json;
import dev.medley.base.job.StoreUrl;
import dev.medley.store.file.Checksum;
import dev.medley.store.object.ObjectStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongConsumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Keeps shipments in an object store, each below its key. A shipment is put there once, for this
 * run and later ones, and fetched by machines that do not see its files. The list of a shipment's
 * files is written last, so that a shipment with a list is whole, whichever process was killed
 * while putting it.
 *
 * <p>Thread: one at a time.
 */
public final class Depot implements AutoCloseable {
    /** Shipments have no files whose names begin with a dot. */
    private static final String LIST = ".contents.json";

    private final StoreUrl url;
    private final ObjectStore store;

    private Depot(StoreUrl url, ObjectStore store) {
        this.url = url;
        this.store = store;
    }

    /** What lies in a shipment's folder. */
    private record Contents(Map<String, Entry> files) {
        /** One file. */
        private record Entry(long bytes, String sha256) {}
    }

    /** Opens the one at {@code url}; nothing is asked of it yet. */
    public static Depot at(StoreUrl url, UnaryOperator<@Nullable String> environment) {
        return new Depot(url, ObjectStore.open(url, environment));
    }

    /**
     * Puts a shipment there, if it is not there already.
     *
     * @param progress told the bytes that have gone
     */
    public void put(Shipment shipment, LongConsumer progress) throws IOException {
        if (store.bytes(list(shipment)).isPresent()) {
            requireSame(shipment, contents(shipment));
            return;
        }
        Map<String, Contents.Entry> files = new TreeMap<>();
        long gone = 0;
        for (String name : shipment.bytes().keySet().stream().sorted().toList()) {
            Path file = shipment.file(name);
            long before = gone;
            store.put(RunFiles.name(shipment, name), file, now -> progress.accept(before + now));
            gone += Files.size(file);
            String sha256 = Checksum.of(file, Checksum.Kind.SHA256);
            files.put(name, new Contents.Entry(Files.size(file), sha256));
        }
        store.write(list(shipment), Json.bytes(new Contents(files)));
    }

    /**
     * Fetches the files of a shipment into the folder {@code into}, but those that come in parts,
     * and checks each.
     */
    public void fetch(Shipment shipment, Path into) throws IOException {
        Contents contents = contents(shipment);
        requireSame(shipment, contents);
        for (Map.Entry<String, Contents.Entry> of : contents.files().entrySet()) {
            String name = of.getKey();
            if (shipment.inParts().contains(name)) {
                continue;
            }
            Contents.Entry entry = of.getValue();
            Path file = shipment.below(into, name);
            Files.createDirectories(file.getParent());
            store.fetch(RunFiles.name(shipment, name), entry.bytes(), file, come -> {});
            String sha256 = Checksum.of(file, Checksum.Kind.SHA256);
            if (!sha256.equals(entry.sha256())) {
                throw new IOException(
                        "%s/%s came with SHA-256 %s, it has %s"
                                .formatted(
                                        url,
                                        RunFiles.name(shipment, name),
                                        sha256,
                                        entry.sha256()));
            }
        }
    }

    private Contents contents(Shipment shipment) throws IOException {
        return Json.parse(store.read(list(shipment)), Contents.class);
    }

    private void requireSame(Shipment shipment, Contents contents) throws IOException {
        Map<String, Long> there = new TreeMap<>();
        contents.files().forEach((name, entry) -> there.put(name, entry.bytes()));
        if (!there.equals(new TreeMap<>(shipment.bytes()))) {
            throw new IOException(
                    "%s/%s holds other files than %s: delete it"
                            .formatted(url, shipment.key(), shipment.root()));
        }
    }

    private static String list(Shipment shipment) {
        return RunFiles.name(shipment, LIST);
    }

    @Override
    public void close() {
        store.close();
    }
}
