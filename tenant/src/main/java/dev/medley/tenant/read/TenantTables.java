package dev.medley.tenant.read;

import dev.medley.base.ConfigException;
import dev.medley.base.OwnFolder;
import dev.medley.connect.Secret;
import dev.medley.connect.files.FileFormat;
import dev.medley.connect.files.StoredFilesSource;
import dev.medley.connect.jdbc.JdbcSource;
import dev.medley.connect.table.TableSource;
import dev.medley.data.table.engine.DuckDb;
import dev.medley.iceberg.IcebergSource;
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
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Opens shared tables for callers, by a file of policies that is looked at before each request.
 * While the file is wrong, nobody gets anything. A change counts once it has rested for two seconds
 * and is checked: until then the policies before it are in force. No rows are kept from one request
 * for the next.
 *
 * <p>Thread: any. One of them checks a change; the others do not wait for it.
 */
public final class TenantTables {
    private final PolicyFiles files;
    private final UnaryOperator<@Nullable String> environment;
    private PoliciesInForce loaded;
    private @Nullable String trouble;
    private boolean isLoading;

    private TenantTables(
            Path file, UnaryOperator<@Nullable String> environment, InstantSource clock) {
        this.files = new PolicyFiles(file, clock);
        this.environment = environment;
        this.loaded = load(files.look(List.of()));
    }

    /**
     * Reads the policies.
     *
     * @param environment a variable's value, null if it is not set
     * @throws ConfigException with everything that is wrong with them
     */
    public static TenantTables open(Path policies, UnaryOperator<@Nullable String> environment) {
        return open(policies, environment, InstantSource.system());
    }

    /** The same; {@code clock} tells how long a change has rested. */
    public static TenantTables open(
            Path policies, UnaryOperator<@Nullable String> environment, InstantSource clock) {
        return new TenantTables(policies, environment, clock);
    }

    private PoliciesInForce load(PolicyFiles.Look look) {
        try {
            TenantPolicies read = PolicyFile.read(files.file(), look.text(), this::columnsOf);
            // What was hashed before it is read tells of a change in between.
            PolicyFiles.Look whole = files.withSecrets(look, PolicyFiles.secrets(read));
            Secret place = read.hashKey();
            HashKey key =
                    place == null
                            ? null
                            : new HashKey(place.read(environment).getBytes(StandardCharsets.UTF_8));
            return new PoliciesInForce(read, whole, new ReadPolicy(read, key));
        } catch (ConfigException e) {
            throw e;
        } catch (RuntimeException e) { // Whatever else a file can lead to is about the file.
            throw new ConfigException(
                    "%s: cannot be taken (%s): look at what was written last"
                            .formatted(files.file(), e.getMessage()),
                    e);
        }
    }

    /** What is in force; empty while the file is wrong. */
    public Optional<PoliciesInForce> current() {
        PoliciesInForce before;
        PolicyFiles.Look look;
        synchronized (this) {
            before = loaded;
        }
        try {
            look = files.look(before.look().secrets());
        } catch (ConfigException e) {
            return ended(before, e.getMessage());
        }
        synchronized (this) {
            if (look.hasSameBytes(loaded.look())) {
                files.forgetChange();
                trouble = null;
                return Optional.of(loaded);
            } else if (isLoading || !files.hasRested(look, loaded.look())) {
                return trouble == null ? Optional.of(loaded) : Optional.empty();
            }
            isLoading = true;
        }
        try {
            return ended(load(look), null);
        } catch (ConfigException e) {
            return ended(before, e.getMessage());
        } finally {
            synchronized (this) {
                isLoading = false;
            }
        }
    }

    private synchronized Optional<PoliciesInForce> ended(
            PoliciesInForce policies, @Nullable String said) {
        trouble = said;
        loaded = policies;
        return said == null ? Optional.of(policies) : Optional.empty();
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
        return current().map(PoliciesInForce::policies);
    }

    /** Whether a caller may read a table, what he sees of it, and why. */
    public ReadDecision decide(TenantCaller caller, String table) {
        return current()
                .map(now -> now.decide(caller, table))
                .orElseGet(TenantTables::withoutPolicies);
    }

    private static ReadDecision.Denied withoutPolicies() {
        return new ReadDecision.Denied(
                "the policies cannot be read now: whoever keeps them has to mend them");
    }

    /** Names of the tables that a caller may read, in the file's order. */
    public List<String> tables(TenantCaller caller) {
        return current().map(now -> tables(now, caller)).orElse(List.of());
    }

    /** The same by policies that were in force when somebody looked. */
    public List<String> tables(PoliciesInForce now, TenantCaller caller) {
        return now.policies().tables().keySet().stream()
                .filter(t -> now.decide(caller, t) instanceof ReadDecision.Allowed)
                .toList();
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
        return extract(required(), caller, table, format, target, new ReadStop());
    }

    /** The same by policies that were in force when somebody looked, until somebody ends it. */
    public Extract extract(
            PoliciesInForce now,
            TenantCaller caller,
            String table,
            ExtractFormat format,
            Path target,
            ReadStop stop)
            throws ReadDenied, IOException {
        Path folder = target.toAbsolutePath().normalize().resolveSibling("");
        OwnFolder.make(folder);
        try (ScratchFolder work = ScratchFolder.beside(folder.resolve(target.getFileName()));
                StagedExtract staged = stage(now, caller, table, work.path(), stop)) {
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

    private PoliciesInForce required() throws ReadDenied {
        Optional<PoliciesInForce> now = current();
        if (now.isEmpty()) {
            throw new ReadDenied(withoutPolicies().why());
        }
        return now.get();
    }

    /**
     * Makes a caller's extract of a table in a DuckDB of its own.
     *
     * @param folder of this user alone, in which nothing stays
     */
    public StagedExtract stage(TenantCaller caller, String table, Path folder)
            throws ReadDenied, IOException {
        return stage(required(), caller, table, folder, new ReadStop());
    }

    /** The same by policies that were in force when somebody looked, until somebody ends it. */
    public StagedExtract stage(
            PoliciesInForce now, TenantCaller caller, String table, Path folder, ReadStop stop)
            throws ReadDenied, IOException {
        ReadDecision decision = now.decide(caller, table);
        if (!(decision instanceof ReadDecision.Allowed allowed)) {
            throw new ReadDenied(decision.why());
        }
        TablePolicy policy = now.policies().tables().get(table);
        if (policy == null) {
            throw new IllegalStateException(table + " was allowed a moment ago");
        }
        DuckDb db = DuckDb.forFiles(List.of(), folder);
        boolean isStaged = false;
        try (SourceRows source = open(db, policy.place(), caller.attributes(), folder, stop)) {
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

    private SourceRows open(
            DuckDb db,
            TablePlace place,
            @Nullable Map<String, Object> attributes,
            Path folder,
            ReadStop stop)
            throws IOException {
        stop.closes(db.connection()::close);
        if (place instanceof TablePlace.OfFiles files) {
            return files.options().format() == FileFormat.JSON
                    ? JsonRows.of(files.options())
                    : QueriedRows.ofFiles(db, files.options());
        } else if (place instanceof TablePlace.OfSnapshot snapshot) {
            return QueriedRows.ofSnapshot(snapshot.folder());
        } else if (place instanceof TablePlace.OfPostgres postgres) {
            return PostgresRows.open(postgres, attributes, environment, stop);
        }
        return foreign(place, attributes == null, folder, stop);
    }

    /** Whoever keeps the policies is told what a server says; callers are not. */
    private SourceRows foreign(TablePlace place, boolean isToldAll, Path folder, ReadStop stop)
            throws IOException {
        ScratchFolder copies = ScratchFolder.beside(folder.resolve("copies"));
        try {
            return ForeignRows.open(source(place, copies.path()), copies, stop);
        } catch (IOException | ConfigException e) {
            copies.close();
            if (isToldAll) {
                throw e;
            }
            throw ForeignRows.unread(e);
        }
    }

    private TableSource source(TablePlace place, Path copies) {
        if (place instanceof TablePlace.OfJdbc jdbc) {
            return new JdbcSource(jdbc.options(), environment);
        } else if (place instanceof TablePlace.OfIceberg iceberg) {
            return new IcebergSource(iceberg.options(), environment);
        }
        TablePlace.OfStored stored = (TablePlace.OfStored) place;
        return new StoredFilesSource(
                stored.url(), stored.format(), List.of(), stored.types(), copies, environment);
    }

    private List<SourceColumn> columnsOf(TablePlace place) {
        try {
            Path folder = TemporaryFolder.make("tenant");
            try (DuckDb db = DuckDb.forFiles(List.of(), folder);
                    SourceRows source = open(db, place, null, folder, new ReadStop())) {
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
