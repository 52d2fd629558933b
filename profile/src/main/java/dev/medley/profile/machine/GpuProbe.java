package dev.medley.profile.machine;

import dev.medley.profile.machine.MachineProfile.Gpu;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import oshi.SystemInfo;
import oshi.hardware.GraphicsCard;

/**
 * Finds the GPUs that nvidia-smi reports if it is there, else the graphics cards that OSHI finds.
 */
final class GpuProbe {
    private static final int PATIENCE_SECONDS = 5;

    private GpuProbe() {}

    static List<Gpu> probe() {
        List<Gpu> nvidia = nvidia("nvidia-smi");
        return nvidia.isEmpty() ? graphicsCards() : nvidia;
    }

    /** The answer of a program that speaks like nvidia-smi; empty if there is none. */
    static List<Gpu> nvidia(String program) {
        Path answer = null;
        try {
            answer = Files.createTempFile("medley-gpus-", ".csv");
            Process process =
                    new ProcessBuilder(
                                    program,
                                    "--query-gpu=name,memory.total,driver_version",
                                    "--format=csv,noheader,nounits")
                            .redirectErrorStream(true)
                            .redirectOutput(answer.toFile())
                            .start();
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                return List.of();
            }
            return process.exitValue() == 0
                    ? parse(Files.readString(answer, StandardCharsets.UTF_8))
                    : List.of();
        } catch (IOException e) {
            return List.of();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return List.of();
        } finally {
            delete(answer);
        }
    }

    /** Lines like {@code NVIDIA H200, 143771, 570.86.15}; memory in MiB. */
    static List<Gpu> parse(String csv) {
        List<Gpu> gpus = new ArrayList<>();
        for (String line : csv.split("\n", -1)) {
            String[] parts = line.strip().split("\\s*,\\s*", -1);
            if (parts.length == 3) {
                long mib = parts[1].matches("\\d+") ? Long.parseLong(parts[1]) : 0;
                gpus.add(new Gpu(parts[0], mib << 20, parts[2], "nvidia-smi"));
            }
        }
        return gpus;
    }

    private static List<Gpu> graphicsCards() {
        List<Gpu> gpus = new ArrayList<>();
        for (GraphicsCard card : new SystemInfo().getHardware().getGraphicsCards()) {
            gpus.add(new Gpu(card.getName(), card.getVRam(), card.getVersionInfo(), "the system"));
        }
        return gpus;
    }

    private static void delete(@org.jspecify.annotations.Nullable Path file) {
        try {
            if (file != null) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            file.toFile().deleteOnExit();
        }
    }
}
