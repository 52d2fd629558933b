package dev.medley.hub.agent;

import dev.medley.hub.service.OfferedMachine;
import dev.medley.profile.machine.MachineProfile;
import dev.medley.profile.machine.MachineProfile.Gpu;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Says what a machine offers, of what was measured of it and what its owner says.
 *
 * @param type the owner's word for machines like this one; null to make one of its hardware
 * @param pricePerHour negative where nobody says it
 */
public record MachineOffer(@Nullable String type, boolean spot, double pricePerHour) {
    /** What a hub is told. */
    OfferedMachine of(MachineProfile machine) {
        double cores = machine.processor().usableCores();
        String gpu = machine.gpus().stream().map(Gpu::name).collect(Collectors.joining(", "));
        double flops =
                machine.compute().stream()
                        .filter(kernel -> kernel.flopsPerSecond().exists())
                        .mapToDouble(kernel -> kernel.flopsPerSecond().value() / 1e9)
                        .max()
                        .orElse(0);
        String made =
                String.format(
                        Locale.ROOT,
                        "%s, %.2f cores%s",
                        machine.processor().model(),
                        cores,
                        gpu.isEmpty() ? "" : ", " + gpu);
        return new OfferedMachine(
                type == null ? made : type,
                cores,
                flops > 0 ? flops : cores,
                machine.memory().usableBytes(),
                gpu,
                spot,
                pricePerHour);
    }
}
