package dev.medley.cli.tenant;

import dev.medley.cli.option.JsonOption;
import dev.medley.cli.option.Options;
import dev.medley.cli.terminal.ExitCode;
import dev.medley.cli.terminal.Terminal;
import dev.medley.tenant.policy.CallerSpec;
import dev.medley.tenant.policy.TenantPolicies;
import dev.medley.tenant.read.ReadDecision;
import dev.medley.tenant.read.TenantTables;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Tells what each caller would see of each table. */
@Command(
        name = "check",
        header = "Read a file of policies, and tell who would see what.",
        description = {
            "",
            "Conditions are checked against the tables' columns and types, and the callers'",
            "attributes. Rows are not read, and none of their values is shown."
        },
        footer = {"", "Examples:", "  medley door check policies.yaml"})
final class DoorCheckCommand extends Options implements Callable<Integer> {
    @Mixin private PoliciesOption policies = new PoliciesOption();
    @Mixin private JsonOption json = new JsonOption();

    private final Terminal terminal;

    DoorCheckCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    private record Sight(String table, String caller, String decision, String why) {}

    @Override
    public Integer call() {
        TenantTables tables = TenantTables.open(policies.file(), System::getenv);
        TenantPolicies known = tables.policies().orElseThrow();
        List<Sight> all = new ArrayList<>();
        for (String table : known.tables().keySet()) {
            for (CallerSpec spec : known.callers().values()) {
                ReadDecision decision = tables.decide(spec.caller(), table);
                all.add(
                        new Sight(
                                table,
                                spec.caller().name(),
                                decision instanceof ReadDecision.Allowed ? "allow" : "deny",
                                decision.why()));
            }
        }
        if (!json.printed(terminal, all)) {
            String table = "";
            for (Sight each : all) {
                if (!each.table().equals(table)) {
                    table = each.table();
                    terminal.print(table);
                }
                terminal.print(
                        "  %-16s %-5s %s".formatted(each.caller(), each.decision(), each.why()));
            }
            known.callers().values().stream()
                    .filter(spec -> spec.secret() == null)
                    .forEach(
                            spec ->
                                    terminal.say(
                                            "%s has no secret: the door lets him in nowhere"
                                                    .formatted(spec.caller().name())));
        }
        return ExitCode.DONE;
    }
}
