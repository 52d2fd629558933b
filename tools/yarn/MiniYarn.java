import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.MiniYARNCluster;

/**
 * Starts a cluster of YARN in one process: a ResourceManager and NodeManagers, whose containers are
 * processes of this machine.
 */
public final class MiniYarn {
    private MiniYarn() {}

    /**
     * Writes the files that HADOOP_CONF_DIR names, says {@code ready}, and ends with its standard
     * input.
     *
     * @param words an empty folder, the NodeManagers, and the vcores and MiB of each
     */
    public static void main(String[] words) throws Exception {
        Path folder = Files.createDirectories(Path.of(words[0])).toAbsolutePath();
        int nodes = Integer.parseInt(words[1]);
        int vcores = Integer.parseInt(words[2]);
        int memory = Integer.parseInt(words[3]);
        YarnConfiguration conf = new YarnConfiguration();
        conf.set("fs.defaultFS", "file:///");
        conf.set("hadoop.tmp.dir", folder.resolve("tmp").toString());
        conf.setInt("yarn.nodemanager.resource.cpu-vcores", vcores);
        conf.setInt("yarn.nodemanager.resource.memory-mb", memory);
        conf.setInt("yarn.scheduler.minimum-allocation-mb", 128);
        conf.setInt("yarn.scheduler.maximum-allocation-mb", memory);
        conf.setInt("yarn.scheduler.maximum-allocation-vcores", vcores);
        conf.set("yarn.scheduler.capacity.root.queues", "default");
        conf.set("yarn.scheduler.capacity.root.default.capacity", "100");
        conf.set("yarn.scheduler.capacity.maximum-am-resource-percent", "0.5");
        conf.set(
                "yarn.scheduler.capacity.resource-calculator",
                "org.apache.hadoop.yarn.util.resource.DominantResourceCalculator");
        // A full disk of a build machine is no reason to take no container.
        conf.setBoolean("yarn.nodemanager.disk-health-checker.enable", false);
        conf.setBoolean("yarn.nodemanager.vmem-check-enabled", false);
        conf.setBoolean("yarn.minicluster.fixed.ports", false);
        // Containers are told to end, and killed soon after.
        conf.setInt("yarn.nodemanager.sleep-delay-before-sigkill.ms", 250);
        System.setProperty("test.build.data", folder.resolve("data").toString());
        MiniYARNCluster cluster = new MiniYARNCluster("medley", nodes, 1, 1);
        cluster.init(conf);
        cluster.start();
        if (!cluster.waitForNodeManagersToConnect(60_000)) {
            throw new IllegalStateException("NodeManagers did not connect within a minute");
        }
        Path files = Files.createDirectories(folder.resolve("conf"));
        Configuration yarn = new Configuration(cluster.getConfig());
        try (OutputStream to = Files.newOutputStream(files.resolve("yarn-site.xml"))) {
            yarn.writeXml(to);
        }
        Files.writeString(
                files.resolve("core-site.xml"),
                "<configuration><property><name>fs.defaultFS</name><value>file:///</value></property>"
                        + "</configuration>\n");
        System.out.println("ready: HADOOP_CONF_DIR=" + files);
        while (System.in.read() >= 0) {
            // Whoever started it is there.
        }
        cluster.stop();
        System.exit(0);
    }
}
