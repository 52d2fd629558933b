package dev.medley.control.agent;

import dev.medley.base.ConfigException;
import dev.medley.base.job.StoreUrl;
import dev.medley.base.text.Units;
import dev.medley.control.files.Depot;
import dev.medley.control.files.RunFiles;
import dev.medley.control.files.Shipment;
import dev.medley.data.shard.PartialFile;
import dev.medley.net.control.Message;
import dev.medley.net.files.FilesClient;
import dev.medley.store.checkpoint.CheckpointStore;
import dev.medley.store.file.AtomicFolder;
import dev.medley.store.file.WriteFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Finds a run's files on this machine, and fetches those that it does not see. Files of a shared
 * file system are used where they lie. Others are fetched once and kept for the next run: from the
 * object store that they lie in, else from the coordinator. A checkpoint belongs to its run only.
 */
final class RunFileCache {
    /** Beside what another run may need whole. */
    private static final String IN_PARTS = "-parts";

    private final Path cache;
    private final boolean copies;
    private final Consumer<String> says;

    /** What is fetched goes below {@code cache}: all, or what is not seen where it lies. */
    RunFileCache(Path cache, boolean copies, Consumer<String> says) {
        this.copies = copies;
        this.cache = cache;
        this.says = says;
    }

    /**
     * Where the roots of all shipments lie here, fetching what is not.
     *
     * @throws ConfigException if there is more to fetch than is allowed
     */
    Map<String, String> of(List<Shipment> shipments, long mostBytes, FilesClient files)
            throws IOException {
        Map<String, String> paths = new HashMap<>();
        for (Shipment shipment : shipments) {
            if (copies || !shipment.isAt(Path.of(shipment.root()))) {
                paths.put(shipment.root(), fetched(shipment, mostBytes, files).toString());
            }
        }
        return paths;
    }

    /**
     * Puts the checkpoint of a run where its worker looks for it, below {@code run}: straight from
     * where it comes, however large it is, since without it there is no going on. Of those before,
     * as many stay as the run keeps.
     */
    void checkpoint(LaunchOrder work, Path run, FilesClient files) throws IOException {
        Shipment checkpoint = work.checkpoint();
        if (checkpoint == null) {
            return;
        }
        Path source = Path.of(checkpoint.root());
        Path target = run.resolve("checkpoints").resolve(source.getFileName().toString());
        if (target.equals(source) || checkpoint.isAt(target)) {
            return;
        }
        try {
            if (!copies && checkpoint.isAt(source)) {
                AtomicFolder.copy(source, target);
            } else {
                says.accept(fetching(checkpoint));
                AtomicFolder.write(
                        target, checkpoint.bytesSent(), into -> fetch(checkpoint, files, into));
            }
        } catch (WriteFailure e) {
            throw new IOException(e.getMessage(), e);
        }
        CheckpointStore.keepNewest(
                run.resolve("checkpoints"), work.job().checkpoint().keep(), Set.of(target));
    }

    private static String fetching(Shipment shipment) {
        return "fetching %s (%s)"
                .formatted(
                        Path.of(shipment.root()).getFileName(), Units.bytes(shipment.totalBytes()));
    }

    private Path fetched(Shipment shipment, long mostBytes, FilesClient files) throws IOException {
        Path whole = cache.resolve(shipment.key());
        boolean isWhole = shipment.inParts().isEmpty() || shipment.isAt(whole);
        Path target = isWhole ? whole : cache.resolve(shipment.key() + IN_PARTS);
        Path root =
                shipment.isFile()
                        ? target.resolve(shipment.bytes().keySet().iterator().next())
                        : target;
        if (shipment.isAt(root)) {
            return root;
        }
        String depot = shipment.depot();
        ConfigException.check(
                depot != null || shipment.totalBytes() <= mostBytes,
                "%s has %s, more than cluster.send=%s: put it where this machine sees it under the"
                        + " same path, or raise cluster.send; prepared data may go over an object"
                        + " store, cluster.data_store=s3://BUCKET/FOLDER",
                shipment.root(),
                Units.bytes(shipment.totalBytes()),
                Units.bytes(mostBytes));
        says.accept(
                "fetching %s (%s%s)%s"
                        .formatted(
                                Path.of(shipment.root()).getFileName(),
                                isWhole ? "" : "parts of ",
                                Units.bytes(shipment.totalBytes()),
                                depot == null ? "" : " from " + depot));
        try {
            AtomicFolder.write(
                    target,
                    shipment.bytesSent(),
                    into -> {
                        if (depot == null) {
                            fetch(shipment, files, into);
                        } else {
                            fetch(shipment, StoreUrl.of("cluster.data_store", depot), into);
                        }
                        makeRoom(shipment, into);
                    });
        } catch (WriteFailure e) {
            throw new IOException(e.getMessage(), e);
        }
        return root;
    }

    private static void fetch(Shipment shipment, FilesClient files, Path into) throws IOException {
        for (Map.Entry<String, Long> file : shipment.bytes().entrySet()) {
            if (shipment.inParts().contains(file.getKey())) {
                continue;
            }
            Path path = shipment.below(into, file.getKey());
            Files.createDirectories(path.getParent());
            files.fetch(RunFiles.name(shipment, file.getKey()), file.getValue(), path, come -> {});
        }
    }

    private static void makeRoom(Shipment shipment, Path into) throws IOException {
        for (Map.Entry<String, Long> file : shipment.bytes().entrySet()) {
            if (shipment.inParts().contains(file.getKey())) {
                Path path = shipment.below(into, file.getKey());
                Files.createDirectories(path.getParent());
                PartialFile.create(path, file.getValue());
            }
        }
    }

    private static void fetch(Shipment shipment, StoreUrl depot, Path into) throws IOException {
        try (Depot store = Depot.at(depot, System::getenv)) {
            store.fetch(shipment, into);
        }
    }

    /** How the fetching of a worker's files ended. */
    sealed interface Outcome {
        /** All is here. */
        record Here(Message.Launch launch, LaunchOrder work, Map<String, String> paths)
                implements Outcome {}

        /** It is not; the sentence is for the user. */
        record Failed(int launch, String why) implements Outcome {}
    }
}
