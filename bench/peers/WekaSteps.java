import java.io.File;
import weka.classifiers.trees.J48;
import weka.core.Instances;
import weka.core.converters.ArffLoader;

/** The steps by Weka: WekaSteps read FILE, or WekaSteps j48 FILE [option ...]. Only loading, or only building, is timed. */
public class WekaSteps {
    public static void main(String[] told) throws Exception {
        long begun = System.nanoTime();
        ArffLoader loader = new ArffLoader();
        loader.setFile(new File(told[1]));
        Instances table = loader.getDataSet();
        if (told[0].equals("read")) {
            System.out.printf("{\"seconds\": %.4f, \"rows\": %d}%n", seconds(begun), table.numInstances());
            return;
        }
        table.setClassIndex(table.numAttributes() - 1);
        J48 tree = new J48();
        tree.setOptions(java.util.Arrays.copyOfRange(told, 2, told.length));
        begun = System.nanoTime();
        tree.buildClassifier(table);
        System.out.printf("{\"seconds\": %.4f, \"leaves\": %d}%n", seconds(begun), (int) tree.measureNumLeaves());
    }

    private static double seconds(long begun) {
        return (System.nanoTime() - begun) / 1e9;
    }
}
