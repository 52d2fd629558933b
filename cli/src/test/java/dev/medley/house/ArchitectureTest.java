package dev.medley.house;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The rules between modules, all of them, on one page. The reasons are in docs/ARCHITECTURE.md. */
@Tag("unit")
class ArchitectureTest {
    private static final JavaClasses MEDLEY =
            new ClassFileImporter()
                    .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                    .withImportOption(location -> !location.contains("-tests.jar"))
                    .importPackages("dev.medley");

    /** Which modules a module may use. What is not named here is forbidden. */
    private enum Module {
        BASE(),
        NET("base"),
        EXCHANGE("base", "net"),
        TENSOR("base"),
        STORE("base"),
        DATA("base", "store"),
        TREES("base", "tensor"),
        INFERENCE("base", "tensor", "trees", "store", "data"),
        ONNX("base", "tensor", "store", "data", "inference"),
        PROFILE("base"),
        RECORD("base", "profile"),
        PLAN("base", "profile", "record"),
        FLEET("base", "store", "tensor"),
        WORKER("base", "net", "exchange", "store", "data", "profile"),
        TRAINING(
                "base",
                "net",
                "exchange",
                "tensor",
                "trees",
                "store",
                "data",
                "inference",
                "profile",
                "record",
                "worker"),
        CONTROL("base", "net", "store", "data", "profile", "record", "plan"),
        API(
                "base",
                "net",
                "control",
                "plan",
                "worker",
                "training",
                "inference",
                "onnx",
                "store",
                "data",
                "tensor",
                "trees",
                "profile",
                "record"),
        HUB("base", "net", "store", "data", "profile", "record", "control", "fleet", "api"),
        SERVING("base", "tensor", "store", "data", "inference", "onnx", "record"),
        CONNECT("base", "store", "data"),
        ICEBERG("base", "store", "data", "connect"),
        TENANT("base", "store", "data", "connect", "iceberg", "api", "serving"),
        LOOP(
                "base",
                "store",
                "data",
                "inference",
                "record",
                "connect",
                "iceberg",
                "serving",
                "api"),
        KUBERNETES("base", "net", "store", "data", "record", "fleet", "api"),
        SPARK("base", "net", "store", "data", "inference", "record", "control", "trees", "api"),
        CLI(
                "base",
                "net",
                "control",
                "plan",
                "inference",
                "onnx",
                "store",
                "data",
                "tensor",
                "profile",
                "record",
                "fleet",
                "hub",
                "serving",
                "connect",
                "iceberg",
                "tenant",
                "loop",
                "kubernetes",
                "spark",
                "api");

        private final String[] mayUse;

        Module(String... mayUse) {
            this.mayUse = mayUse;
        }

        String packages() {
            return "dev.medley." + name().toLowerCase(java.util.Locale.ROOT) + "..";
        }

        String[] usable() {
            return Stream.concat(
                            Stream.of(packages()),
                            Arrays.stream(mayUse).map(m -> "dev.medley." + m + ".."))
                    .toArray(String[]::new);
        }
    }

    /** Which foreign libraries are walled off, and the packages inside the wall. */
    private enum Wall {
        LIBTORCH("dev.medley.tensor..", "org.bytedeco.."),
        XGBOOST("dev.medley.trees..", "ml.dmlc.."),
        DUCKDB(
                List.of(
                        "dev.medley.data.table..",
                        "dev.medley.connect..",
                        "dev.medley.iceberg..",
                        "dev.medley.tenant..",
                        "dev.medley.loop.."),
                "org.duckdb..",
                "java.sql.."),
        POSTGRES("dev.medley.connect.postgres..", "org.postgresql.."),
        SQLITE("dev.medley.loop.state..", "org.sqlite.."),
        ICEBERG("dev.medley.iceberg..", "org.apache.iceberg.."),
        OPENDAL("dev.medley.store.object..", "org.apache.opendal.."),
        OSHI("dev.medley.profile.machine..", "oshi.."),
        HTTP_SERVER(
                List.of(
                        "dev.medley.hub..",
                        "dev.medley.serving..",
                        "dev.medley.tenant..",
                        "dev.medley.connect.salesforce.event.."),
                "com.linecorp.armeria..",
                "io.netty.."),
        ONNX_RUNTIME("dev.medley.onnx.engine..", "ai.onnxruntime.."),
        TRACES("dev.medley.serving.trace..", "io.opentelemetry.."),
        JWT(
                List.of("dev.medley.serving.oidc..", "dev.medley.connect.salesforce.."),
                "com.nimbusds.."),
        PROTOBUF(
                List.of("dev.medley.serving.grpc..", "dev.medley.connect.salesforce.event.."),
                "com.google.protobuf.."),
        AVRO("dev.medley.connect.salesforce.event..", "org.apache.avro.."),
        CLUSTERS("dev.medley.kubernetes..", "io.fabric8..", "io.javaoperatorsdk.."),
        SPARK("dev.medley.spark..", "org.apache.spark..", "org.apache.hadoop..", "scala.."),
        YAML("dev.medley.api.yaml..", "org.snakeyaml.."),
        YAML_WRITER("dev.medley.api.job..", "tools.jackson.dataformat.."),
        SCHEMA("dev.medley.api.schema..", "com.networknt.."),
        COMMAND_LINE("dev.medley.cli..", "picocli..", "ch.qos.logback..");

        private final String[] inside;
        private final String[] library;

        Wall(String inside, String... library) {
            this(List.of(inside), library);
        }

        Wall(List<String> inside, String... library) {
            this.inside = inside.toArray(String[]::new);
            this.library = library;
        }
    }

    @TestFactory
    Stream<DynamicTest> shouldUseOnlyTheModulesNamedHere() {
        return Arrays.stream(Module.values())
                .map(
                        module ->
                                DynamicTest.dynamicTest(
                                        module.name(),
                                        () ->
                                                classes()
                                                        .that()
                                                        .resideInAPackage(module.packages())
                                                        .should()
                                                        .onlyDependOnClassesThat(
                                                                not(resideInAPackage(
                                                                                "dev.medley.."))
                                                                        .or(
                                                                                resideInAnyPackage(
                                                                                        module
                                                                                                .usable())))
                                                        .check(MEDLEY)));
    }

    @TestFactory
    Stream<DynamicTest> shouldKeepForeignLibrariesBehindTheirWalls() {
        return Arrays.stream(Wall.values())
                .map(
                        wall ->
                                DynamicTest.dynamicTest(
                                        wall.name(),
                                        () ->
                                                noClasses()
                                                        .that()
                                                        .resideOutsideOfPackages(wall.inside)
                                                        .should()
                                                        .dependOnClassesThat()
                                                        .resideInAnyPackage(wall.library)
                                                        .check(MEDLEY)));
    }

    /**
     * Data path and control path: net. Where growers of trees meet: trees. Figures for Prometheus:
     * record.metrics. A check: doctor.
     */
    @Test
    void shouldOpenSocketsInNetAlone() {
        noClasses()
                .that()
                .resideOutsideOfPackages(
                        "dev.medley.net..",
                        "dev.medley.trees..",
                        "dev.medley.record.metrics..",
                        "dev.medley.cli.doctor..")
                .should()
                .dependOnClassesThat()
                .haveNameMatching(
                        "java\\.net\\.(Server)?Socket|java\\.nio\\.channels\\..*SocketChannel"
                                + "|javax\\.net\\.(ssl\\.)?.*(Socket|SocketFactory|Engine)"
                                + "|com\\.sun\\.net\\.httpserver\\..*")
                .because("only net opens sockets, but for what a library or a check needs")
                .check(MEDLEY);
    }

    @Test
    void shouldStartProcessesInLaunchersAlone() {
        noClasses()
                .that()
                .resideOutsideOfPackages(
                        "dev.medley.control.launcher..",
                        "dev.medley.hub.job..",
                        "dev.medley.net.certs..",
                        "dev.medley.profile.machine..",
                        "dev.medley.cli.terminal..",
                        "dev.medley.benchmarks..")
                .should()
                .dependOnClassesThat()
                .haveFullyQualifiedName(ProcessBuilder.class.getName())
                .because(
                        "launchers start workers, a hub a process a job; certificates, a probe and"
                                + " the terminal ask one program each")
                .check(MEDLEY);
    }

    @Test
    void shouldMapJsonInOnePlace() {
        noClasses()
                .that()
                .resideOutsideOfPackages(
                        "dev.medley.base",
                        "dev.medley.api.job..",
                        "dev.medley.api.schema..",
                        "dev.medley.store.file..")
                .should()
                .dependOnClassesThat()
                .haveNameMatching("tools\\.jackson\\.databind\\..*Mapper")
                .because(
                        "base.Json reads and writes all records; api and store.file read what"
                                + " others wrote: schemas, YAML, safetensors")
                .check(MEDLEY);
    }

    @Test
    void shouldDecidePlansWithoutClocksFilesOrSockets() {
        noClasses()
                .that()
                .resideInAnyPackage(
                        "dev.medley.plan.policy..",
                        "dev.medley.plan.source..",
                        "dev.medley.net.membership..")
                .should()
                .dependOnClassesThat(
                        resideInAnyPackage(
                                        "java.io..",
                                        "java.nio..",
                                        "java.net..",
                                        "java.util.concurrent.locks..")
                                .or(resideInAPackage("dev.medley.base").and(isClock())))
                .because("policies and membership are values in, decisions out")
                .check(MEDLEY);
    }

    @Test
    void shouldHaveNoCyclesBetweenModules() {
        slices().matching("dev.medley.(*)..").should().beFreeOfCycles().check(MEDLEY);
    }

    @Test
    void shouldHaveNoCyclesBetweenPackages() {
        slices().matching("dev.medley.(**)").should().beFreeOfCycles().check(MEDLEY);
    }

    private static com.tngtech.archunit.base.DescribedPredicate<
                    com.tngtech.archunit.core.domain.JavaClass>
            isClock() {
        return com.tngtech.archunit.base.DescribedPredicate.describe(
                "a clock", type -> type.getSimpleName().endsWith("Clock"));
    }
}
