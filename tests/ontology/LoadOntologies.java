// Loads each ontology with the OWL API, as Protégé does, and prints a line of tab-separated counts and violations of
// OWL 2 DL: FILE, classes, object properties, data properties, annotation properties, then a violation in each column.

import java.io.File;
import java.util.stream.Collectors;

import org.semanticweb.owlapi.apibinding.OWLManager;
import org.semanticweb.owlapi.model.OWLOntology;
import org.semanticweb.owlapi.profiles.OWL2DLProfile;

public class LoadOntologies {
    public static void main(String[] files) throws Exception {
        for (String file : files) {
            OWLOntology loaded = OWLManager.createOWLOntologyManager().loadOntologyFromOntologyDocument(new File(file));
            String violations = new OWL2DLProfile().checkOntology(loaded).getViolations().stream()
                .map(violation -> violation.getClass().getSimpleName() + " " + violation.getExpression())
                .distinct().sorted().collect(Collectors.joining("\t"));
            System.out.println(String.join("\t", new File(file).getName(),
                "" + loaded.getClassesInSignature().size(), "" + loaded.getObjectPropertiesInSignature().size(),
                "" + loaded.getDataPropertiesInSignature().size(),
                "" + loaded.getAnnotationPropertiesInSignature().size(), violations));
        }
    }
}
