package dev.medley.cli.tenant;

import static dev.medley.base.ConfigException.check;

import dev.medley.base.ConfigException;
import dev.medley.base.text.DidYouMean;
import dev.medley.base.time.Clock;
import dev.medley.cli.option.Options;
import dev.medley.cli.terminal.ExitCode;
import dev.medley.cli.terminal.Terminal;
import dev.medley.tenant.door.AuditedExtract;
import dev.medley.tenant.policy.CallerSpec;
import dev.medley.tenant.policy.TenantPolicies;
import dev.medley.tenant.read.ExtractFormat;
import dev.medley.tenant.read.ReadDenied;
import dev.medley.tenant.read.TenantTables;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Writes what a caller sees of a table to a file. */
@Command(
        name = "read",
        header = "Write what a caller sees of a table to a file, as an administrator.",
        description = {"", "It is recorded in the log of requests as an administrator's."},
        footer = {
            "",
            "Examples:",
            "  medley door read policies.yaml customers --as acme -o acme.parquet",
            "  medley door read policies.yaml customers --as acme -o acme.csv"
        })
final class DoorReadCommand extends Options implements Callable<Integer> {
    @Mixin private PoliciesOption policies = new PoliciesOption();

    @SuppressWarnings("NullAway.Init") // Set by picocli.
    @Parameters(index = "1", paramLabel = "TABLE", description = "A table of the policies.")
    private String table;

    @SuppressWarnings("NullAway.Init") // Set by picocli.
    @Option(
            names = "--as",
            required = true,
            paramLabel = "CALLER",
            description = "Whose rows and columns.")
    private String caller;

    @SuppressWarnings("NullAway.Init") // Set by picocli.
    @Option(
            names = {"-o", "--output"},
            required = true,
            paramLabel = "FILE",
            description = "Where to: a name that ends in .parquet or .csv.")
    private Path target;

    private final Terminal terminal;

    DoorReadCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws IOException {
        ExtractFormat format = format();
        TenantTables tables = TenantTables.open(policies.file(), System::getenv);
        TenantPolicies known = tables.policies().orElseThrow();
        CallerSpec spec = known.callers().get(caller);
        if (spec == null) {
            throw unknown("caller", caller, known.callers().keySet());
        }
        if (!known.tables().containsKey(table)) {
            throw unknown("table", table, known.tables().keySet());
        }
        try {
            AuditedExtract made =
                    AuditedExtract.write(
                            new AuditedExtract.Wish(spec.caller(), table, format, target),
                            tables,
                            policies.file(),
                            policies.audit(),
                            Clock.system());
            terminal.print(
                    "%s: %,d rows, %,d bytes: %s"
                            .formatted(target, made.rows(), made.bytes(), made.why()));
        } catch (ReadDenied e) {
            throw new ConfigException(
                    "%s may not read %s: %s".formatted(caller, table, e.getMessage()), e);
        }
        return ExitCode.DONE;
    }

    private ExtractFormat format() {
        for (ExtractFormat format : ExtractFormat.values()) {
            if (target.toString().endsWith(format.ending())) {
                return format;
            }
        }
        throw new ConfigException(
                "-o %s: is it to be Parquet or CSV? Give a name that ends in .parquet or .csv"
                        .formatted(target));
    }

    private ConfigException unknown(String what, String given, Collection<String> known) {
        check(!known.isEmpty(), "%s: there is no %s in it", policies.file(), what);
        return new ConfigException(
                "%s: there is no %s '%s'%s"
                        .formatted(
                                policies.file(),
                                what,
                                given,
                                DidYouMean.of(given, known)
                                        .map("; did you mean %s?"::formatted)
                                        .orElse("; there are " + String.join(", ", known))));
    }
}
