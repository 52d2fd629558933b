package dev.medley.tenant.read;

import dev.medley.base.ConfigException;
import dev.medley.base.NamedFile;
import dev.medley.base.OwnFolder;
import dev.medley.connect.Secret;
import dev.medley.data.table.engine.DuckDb;
import dev.medley.store.file.AtomicFile;
import dev.medley.store.file.ScratchFolder;
import dev.medley.store.file.TemporaryFolder;
import dev.medley.tenant.TenantCaller;
import dev.medley.tenant.policy.PolicyFile;
import dev.medley.tenant.policy.SourceColumn;
import dev.medley.tenant.policy.TablePlace;
import dev.medley.tenant.policy.TablePolicy;
import dev.medley.tenant.policy.TenantPolicies;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Opens shared tables for callers, by a file of policies that is looked at before each request.
 * While the file is wrong, nobody gets anything. Nothing is kept from one request for the next.
 *
 * <p>Thread: any.
 */
public final class TenantTables {
    private static final int LARGEST_BYTES = 4 << 20;

    private final Path file;
    private final UnaryOperator<@Nullable String> environment;
    private Loaded loaded;
    private @Nullable String trouble;

    private record Loaded(String text, TenantPolicies policies, ReadPolicy decisions) {}

    private TenantTables(Path file, UnaryOperator<@Nullable String> environment) {
        this.file = file;
        this.environment = environment;
        this.loaded = load(text());
    }

    /**
     * Reads the policies.
     *
     * @param environment a variable's value, null if it is not set
     * @throws ConfigException with everything that is wrong with them
     */
    public static TenantTables open(Path policies, UnaryOperator<@Nullable String> environment) {
        return new TenantTables(policies, environment);
    }

    private String text() {
        try {
            return NamedFile.text(file, LARGEST_BYTES);
        } catch (IOException e) {
            throw new ConfigException(file + ": cannot be read: " + e.getMessage(), e);
        }
    }

    private Loaded load(String text) {
        TenantPolicies read = PolicyFile.read(file, this::columnsOf);
        Secret place = read.hashKey();
        HashKey key =
                place == null
                        ? null
                        : new HashKey(place.read(environment).getBytes(StandardCharsets.UTF_8));
        return new Loaded(text, read, new ReadPolicy(read, key));
    }

    /** What is in force; empty while the file is wrong. */
    private synchronized Optional<Loaded> current() {
        try {
            String text = text();
            if (!text.equals(loaded.text())) {
                loaded = load(text);
            }
            trouble = null;
            return Optional.of(loaded);
        } catch (ConfigException e) {
            trouble = e.getMessage();
            return Optional.empty();
        }
    }

    /** What is wrong with the file now, for whoever keeps it; empty if nothing is. */
    public Optional<String> trouble() {
        current();
        synchronized (this) {
            return Optional.ofNullable(trouble);
        }
    }

    /** The policies in force; empty while the file is wrong. */
    public Optional<TenantPolicies> policies() {
        return current().map(Loaded::policies);
    }

    /** Whether a caller may read a table, what he sees of it, and why. */
    public ReadDecision decide(TenantCaller caller, String table) {
        return current()
                .map(l -> l.decisions().decide(caller, table))
                .orElseGet(TenantTables::withoutPolicies);
    }

    private static ReadDecision withoutPolicies() {
        return new ReadDecision.Denied(
                "the policies cannot be read now: whoever keeps them has to mend them");
    }

    /** Names of the tables that a caller may read, in the file's order. */
    public List<String> tables(TenantCaller caller) {
        return policies()
                .map(
                        p ->
                                p.tables().keySet().stream()
                                        .filter(
                                                t ->
                                                        decide(caller, t)
                                                                instanceof ReadDecision.Allowed)
                                        .toList())
                .orElse(List.of());
    }

    /**
     * Writes a caller's extract of a table to a file, whole or not at all. The file's folder is
     * made for this user alone if it is not there.
     *
     * @throws ReadDenied if he may not
     * @throws IOException without any value of a row in its message
     */
    public Extract extract(TenantCaller caller, String table, ExtractFormat format, Path target)
            throws ReadDenied, IOException {
        Path folder = target.toAbsolutePath().normalize().resolveSibling("");
        OwnFolder.make(folder);
        try (ScratchFolder work = ScratchFolder.beside(folder.resolve(target.getFileName()));
                StagedExtract staged = stage(caller, table, work.path())) {
            Path written = work.path().resolve("extract" + format.ending());
            staged.write(written, format);
            long bytes = Files.size(written);
            AtomicFile.publish(written, target);
            return new Extract(
                    target,
                    staged.rows(),
                    bytes,
                    staged.columns().stream().map(VisibleColumn::name).toList(),
                    staged.decision().why());
        }
    }

    /**
     * Makes a caller's extract of a table in a DuckDB of its own.
     *
     * @param folder of this user alone, in which nothing stays
     */
    public StagedExtract stage(TenantCaller caller, String table, Path folder)
            throws ReadDenied, IOException {
        Optional<Loaded> now = current();
        ReadDecision decision =
                now.map(l -> l.decisions().decide(caller, table))
                        .orElseGet(TenantTables::withoutPolicies);
        if (!(decision instanceof ReadDecision.Allowed allowed) || now.isEmpty()) {
            throw new ReadDenied(decision.why());
        }
        TablePolicy policy = now.get().policies().tables().get(table);
        if (policy == null) {
            throw new IllegalStateException(table + " was allowed a moment ago");
        }
        DuckDb db = DuckDb.forFiles(List.of(), folder);
        boolean isStaged = false;
        try (SourceRows source = open(db, policy.place(), caller.attributes())) {
            if (!source.columns().equals(policy.source())) {
                throw new ReadDenied(
                        "the columns of table %s have changed since its policy was read: whoever keeps"
                                        .formatted(table)
                                + " the policies has to look at them");
            }
            StagedExtract staged = StagedExtract.of(db, allowed, source);
            isStaged = true;
            return staged;
        } catch (ConfigException e) { // Said of the table before any row was read.
            throw new IOException(
                    "table %s cannot be read now: whoever keeps it has to look at it"
                            .formatted(table),
                    e);
        } finally {
            if (!isStaged) {
                db.close();
            }
        }
    }

    private SourceRows open(DuckDb db, TablePlace place, @Nullable Map<String, Object> attributes)
            throws IOException {
        if (place instanceof TablePlace.OfFiles files) {
            return QueriedRows.ofFiles(db, files.options());
        } else if (place instanceof TablePlace.OfSnapshot snapshot) {
            return QueriedRows.ofSnapshot(snapshot.folder());
        }
        return PostgresRows.open((TablePlace.OfPostgres) place, attributes, environment);
    }

    private List<SourceColumn> columnsOf(TablePlace place) {
        try {
            Path folder = TemporaryFolder.make("tenant");
            try (DuckDb db = DuckDb.forFiles(List.of(), folder);
                    SourceRows source = open(db, place, null)) {
                requireDistinct(source.columns());
                return source.columns();
            } finally {
                Files.deleteIfExists(folder);
            }
        } catch (IOException e) {
            throw new ConfigException("the table cannot be read: " + e.getMessage(), e);
        }
    }

    /** To the engine, names that differ by capitals alone are one: a policy could mean either. */
    private static void requireDistinct(List<SourceColumn> columns) {
        Map<String, String> names = new HashMap<>();
        for (SourceColumn column : columns) {
            String other = names.put(column.name().toLowerCase(Locale.ROOT), column.name());
            ConfigException.check(
                    other == null,
                    "columns '%s' and '%s' differ by capitals alone: rename one",
                    other,
                    column.name());
        }
    }
}
