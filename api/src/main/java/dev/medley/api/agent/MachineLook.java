package dev.medley.api.agent;

import dev.medley.base.Json;
import dev.medley.profile.machine.MachineProfile;
import dev.medley.profile.machine.MachineProfile.Speeds;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/**
 * Surveys an agent's machine in a fraction of a second, and tells when it changed or had to be
 * measured. A quota or a device may come and go between two runs.
 *
 * <p>Thread: the agent's.
 */
final class MachineLook implements Supplier<JsonNode> {
    private final Supplier<MachineProfile> probe;
    private final Consumer<String> says;
    private String said = "";
    private String saidWhy = "";
    private int cores = 1;

    MachineLook(Supplier<MachineProfile> probe, Consumer<String> says) {
        this.probe = probe;
        this.says = says;
    }

    @Override
    public JsonNode get() {
        MachineProfile machine = probe.get();
        cores = machine.processor().logicalCores();
        String words = words(machine);
        String why = machine.look().why();
        boolean isMeasured = machine.look().speeds() == Speeds.MEASURED;
        // Where nothing can be kept each look measures, for the same reason: that is said once.
        if (!words.equals(said) || (isMeasured && !why.equals(saidWhy))) {
            says.accept("this machine: " + words + "; " + why);
            said = words;
            saidWhy = why;
        }
        return Json.tree(machine);
    }

    /** Of the whole machine, whatever this process may use; as of the last look. */
    int cores() {
        return cores;
    }

    private static String words(MachineProfile machine) {
        String gpus =
                machine.gpus().isEmpty()
                        ? "no GPU"
                        : machine.gpus().stream()
                                .map(MachineProfile.Gpu::name)
                                .collect(Collectors.joining(", "));
        return machine.typeAndMemory() + ", " + gpus;
    }
}
