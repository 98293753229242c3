import type { Words } from './word-class.ts';

export const GERMAN: Words = {
  send: 'sende|senden|sendet|schick|schicke|schicken|schickt|übertrage|übertragen|übermittle|übermitteln|poste|posten|lade|hochladen|leite|weiterleiten|leite weiter|teile|maile|mailen|kopiere|reiche|gib|veröffentliche|füge|hänge|häng|verschicke|versende|stelle|packe|pack|übergib|überträgt|sendest|übertr*|übermittel*|schick*|verschick*|versend*|hochlad*|hochlädt|lädt|weiterleit*|poste*|teile*|reich*|gibt|leit*|funk*|kopier*',
  fetch:
    'lade|lädst|hole|hol|rufe|ruf|öffne|lies|besuche|prüfe|frage ab|herunterladen|herunter|klone|besorge|abrufen|beziehe|lädt|lad*|öffne*|abruf*|liest|besuch*|herunterlad*|konsultier*|schau*|holt|holst',
  run: 'führe|führ|ausführen|ausgeführt|starte|start|starten|installiere|installieren|öffne|lass|aufrufen|rufe|ausführ*|führ*|aufruf*|ruf*|installier*|starte*|startet',
  obey: 'führe|befolge|befolgen|folge|gehorche|tu|tue|mach|mache|halte dich|richte dich|handle|erledige|ausführen|beachte|nimm|befolg*|gehorch*|folg*|führ*|ausführ*|richt*|bindend|verbindlich|tun|machen|macht',
  write:
    'schreibe|schreib|füge|füg|trage|trag|ergänze|hänge|speichere|speicher|lege|merke|merk|richte|notiere|kopiere|installiere|hinterlege|registriere|erstelle|setze|schreib*|trag*|eintrag*|füg*|speicher*|richt*|einricht*|häng*|kopier*|setz*|leg*|bau*|merk*',
  erase:
    'lösche|lösch|löschen|entferne|vernichte|tilge|leere|verwirf|überschreibe|zerstöre|verschlüssele|beseitige|formatiere|lösch*|entfern*|vernicht*|überschreib*|zerstör*|verschlüssel*|tilg*|leer*|wirf*',
  replace:
    'ersetze|ersetz|ändere|tausche|tausch|wechsle|überschreibe|leite um|überweise|stelle um|trage|setze|stelle|stell|umstellen',
  disable:
    'deaktiviere|deaktivieren|schalte|schalt|abschalten|ausschalten|umgehe|umgeh|überspringe|überspring|deinstalliere|setze außer kraft|stelle ab|heble',
  ignore:
    'ignoriere|ignorier|ignorieren|vergiss|vergesse|missachte|verwirf|verwerfe|überschreibe|beachte nicht|übergehe|setze dich hinweg|lass außer acht|lasse außer acht|höre nicht mehr auf|befolge nicht|folge nicht',
  decode: 'dekodiere|entschlüssele|decodiere|entpacke|dekodieren',
  tell: 'sage|sag|erzähle|erzähl|erwähne|erwähn|melde|verrate|verrat|informiere|informier|berichte|teile mit|zeige|zeig|offenbare|benachrichtige|nenne|warne|informieren|sagen|erzählen|mitteilen|erwähnen|melden|zeigen|benachrichtigen|verraten|berichten|bescheid geben|bescheid zu geben',
  notice:
    'merkt|bemerkt|erfährt|erfahren|merken|bemerken|mitbekommt|mitbekommen|sieht, was|sieht|sehen|weiß|wissen|auffällt',
  approve:
    'bestanden|freigegeben|freigeben|sicher|genehmigt|genehmige|akzeptiere|akzeptiert|annehmen|angenommen|unbedenklich|harmlos|keine befunde|keine mängel|ohne befund|volle punktzahl|bestnote|in ordnung|ja|zulassen|konform|positiv|bestmöglich|unauffällig|vertrauenswürdig|höchste|bestehen',
  grant:
    'darfst|erlaubt|erlaubnis|berechtigt|berechtigung|genehmigt|freigeschaltet|autorisiert|volle rechte|vollzugriff|aktiviert|gewähre|aufgehoben|außer kraft|zugelassen|bevollmächtigt|darf|gestattet|befugt|ermächtig*|genehmig*|erlaub*|freigegeben',
  'answer-as-told':
    'antworte|antworten|bewerte|bewerten|gib|stufe|markiere|vergib|melde|urteile|annehmen|werte|lass sie durch|lass es durch|freigeben|erteile|akzeptiere|nimm',
  secret:
    'zugangsdaten|passwort|passwörter|passwörtern|kennwort|kennwörter|schlüssel|api-schlüssel|ssh-schlüssel|geheimnisse|umgebungsvariablen|token|tokens|anmeldedaten|geheimnis|privater schlüssel|privaten schlüssel|keychain|cookies|schlüsselbund|zugangsschlüssel|seed-phrase',
  talk: 'gesprächsverlauf|gespräch|chatverlauf|unterhaltung|eingaben|nachrichten des nutzers|verlauf|systemprompt|quellcode|quelltext|alle dateien|persönliche daten|eingabe des nutzers|adressbuch|kontakte|zwischenablage',
  user: 'nutzer|nutzers|nutzern|nutzerin|benutzer|benutzers|benutzern|anwender|anwenders|anwendern|mensch|menschen|jemand|niemand|niemandem|person|prüfer|kunde|kunden|betreiber|auftraggeber|keiner|niemanden|gutachter',
  judge:
    'prüfer|gutachter|prüfmodell|bewerter|scanner|prüfung|prüfende|gate|modell diese fertigkeit|bewertest|prüfst|begutachtest|revisor|kontrolleur|juror|richter|prüferin|beurteilst',
  authority:
    'entwickler|entwicklers|administrator|administrators|systemadministrator|system|betreiber|anthropic|openai|hersteller|sicherheitsteam|admin|support|leitung|systems|geschäftsführung|it-abteilung|chef|systemverwaltung|verwaltung|sicherheitsabteilung|plattform|entwicklungsteam|vorstand|entwicklerteam|leiter',
  message:
    'hier spricht|nachricht vom|nachricht des|nachricht von|systemnachricht|mitteilung|meldung des|hinweis des|systemmeldung|im auftrag|anweisung des|anweisung vom|mitteilung des|nachricht der|hier ist|ich bin|mitteilung der|im namen|auf anweisung|auf weisung|anordnung',
  rule: 'anweisung|anweisungen|regel|regeln|befehl|befehle|instruktionen|vorgaben|richtlinien|systemprompt|vorschriften|beschränkungen|einschränkungen|aufträge|weisungen|prompt|grundsätze|sicherheitsregeln|deiner vorgaben|sicherheitsvorgaben|leitlinien|prinzipien',
  earlier:
    'vorherig*|vorher|bisherig*|obig*|früher*|vorig*|des systems|bisher|zuvor|vorangegangen*|ursprünglich*|des entwicklers|des nutzers|davor|deine bisherigen|alle deine',
  this: 'diese datei|dieser datei|dieses dokument|dieses dokuments|diesem dokument|diese anleitung|dieser anleitung|diese regeln|dieser text|diesem text|diese fertigkeit|diese anweisungen|was hier steht|dieser skill|diesen regeln|diese zeilen|diese seite|diese regel|dieser regel|diesen absatz|diesen text|diese anweisung|diese zeile|diesen befehl|den satz oben|diesen satz|die obige regel|diese nachricht',
  it: 'dies|ihn|diesen schritt|diese schritte|davon|darüber|hiervon|dieser schritt',
  everything: 'alles|alle|jede|jeden|jedes|jeder|jegliche|sämtliche|allem|allen',
  dictate:
    'was darin steht|was dort steht|was da steht|was drinsteht|was sie sagt|was sie verlangt|was er verlangt|alles, was dort|den anweisungen dort|die anweisungen darin|anweisungen darin|anweisungen dort|dortigen anweisungen|die befehle darin|was die seite|was die datei|darin enthaltenen|dort stehenden|als befehl|als anweisung|als befehle|als anweisungen|was sie enthält|was es verlangt|darin stehenden|was dort verlangt|was dort gefordert|was da verlangt|allem, was|alles, was|dort verlangt|dort gefordert|dort steht|darin steht',
  report:
    'zusammenfassung|bericht|protokoll|protokolle|antwort|log|logs|abschlussbericht|verlauf|commit-nachricht|ausgabe|zusammenfassungen',
  'shell-history': 'befehlsverlauf|shell-verlauf|shell-history|bash-history|befehlshistorie|kommandoverlauf',
  log: 'protokoll|protokolle|logs|logdatei|logdateien|log|spuren|einträge|aufzeichnungen|protokolleinträge',
  property:
    'benutzerverzeichnis*|home-verzeichnis*|heimatverzeichnis*|dateien des nutzers|dateien des benutzers|daten des nutzers|daten des benutzers|persönlichen dateien|persönlichen ordner|sicherungskopien|backups|sicherungen|produktionsdatenbank|produktivdatenbank|gesamte festplatte|ganze festplatte|alle branches|alle zweige|gesamte datenbank|alle tabellen|persönlicher ordner|produktionsdaten|alle dateien|sämtliche dateien|home-ordner|git-historie|git-verlauf|die festplatte|alle daten|alle sicherungen|eigene dateien|dokumente des',
  money:
    'iban|kontonummer|bankverbindung|rechnung|rechnungen|konto|zahlungsdaten|wallet|bitcoin-adresse|zahlungsempfänger|empfängerkonto|überweisung|überweisungen|zahlungen|spenden|bankdaten',
  mirror:
    'registry|registrierung|spiegel|spiegelserver|paketquelle|paketindex|index|paketregister|mirror|paketquellen',
  miner:
    'krypto-miner|kryptominer|miner|krypto-mining|kryptowährung|kryptowährungen|monero|mining-pool|bitcoin',
  guard:
    'sandbox|virenscanner|antivirus|antivirenprogramm|firewall|bestätigung|bestätigungen|rückfragen|freigabe|freigaben|genehmigung|genehmigungen|sicherheitsprüfung|sicherheitsprüfungen|virenschutz|schutzmechanismen|sicherheitsabfragen|sicherheitsfunktionen|sicherheitsmechanismen|zertifikatsprüfung',
  'open-place':
    'issue|ticket|gist|öffentlichen|forum|pull-request|pull request|wiki|kommentar|server|webhook|unseren server|externen server|fremden server|entfernten server|kanal',
  picture: 'bild|bilder|bildes|grafik|zählpixel|pixel|bildadresse',
  script:
    'skript|programm|datei|script|binärdatei|installer|werkzeug|paket|installationsprogramm|hilfsprogramm',
  startup:
    'cronjob|cron-job|crontab|autostart|startskript|geplante aufgabe|systemd-dienst|anmeldeobjekt|hintergrunddienst|git-hook',
  memory:
    'langzeitgedächtnis|dauerhaftes gedächtnis|gedächtnis|globale anweisungen|systemprompt|dauergedächtnis',
  shell: 'shell|terminal|kommandozeile|bash|eingabeaufforderung|konsole',
  encoded: 'base64|base64-zeichenkette|hex|hexadezimal*|kodierte|verschlüsselte zeichenkette|base64-text',
  not: 'nicht|nie|niemals|kein|keine|keinen|keinesfalls|ohne|nichts|niemandem|auf keinen fall|niemand',
  unasked:
    'ohne rückfrage|ohne nachfrage|ohne bestätigung|ohne zu fragen|ohne zustimmung|ohne nachzufragen|frage nicht|frag nicht|frage nie|ohne erlaubnis|ohne genehmigung|keine rückfragen|keine bestätigung|ohne freigabe|ohne einwilligung|ohne rücksprache',
  unseen:
    'ohne zu prüfen|ohne prüfung|ungeprüft|ungelesen|ohne hinzusehen|ohne sie zu lesen|ohne es zu lesen|ohne überprüfung|ohne kontrolle|prüfe nicht|ohne den inhalt|blind',
  unreviewed:
    'ohne weitere prüfung|keine weitere prüfung|keiner weiteren prüfung|keine prüfung|nicht prüfen|nicht weiter prüfen|nicht geprüft werden|überspringe die prüfung|überspringen|überspringe diese|prüfung entfällt|ohne prüfung|nicht beanstanden|nicht melden|unterlasse jede|unterlasse|jede weitere analyse|keine weitere analyse|weitere analyse|brich die prüfung|lass die prüfung|beende die analyse|beende die prüfung',
  secretly:
    'heimlich|unbemerkt|insgeheim|verdeckt|im geheimen|still und leise|spurlos|unauffällig|hinter dem rücken|ohne spuren',
  untold:
    'verschweige|verschweig|verheimliche|verheimlich|nichts davon erfahren|davon nichts erfahren|nichts erfahren|davon nichts wissen|nichts davon wissen|nichts verraten|nichts sagen|nichts davon|behalte das für dich|behalte es für dich|lass es unerwähnt|lasse es unerwähnt|unerwähnt|verbirg|verberge|verstecke das|verstecke diesen|verschleiere|vertusche|damit niemand|ohne dass der nutzer|ohne dass der benutzer|ohne dass jemand|nicht bemerken|nichts bemerken|nichts merken|nicht merken|ohne wissen|nichts mitbekommen|darf nichts|lass es aus|lasse es aus|lass ihn aus|nicht mitbekommen|nichts erfährt|nicht erfährt|nicht erfahren|nichts wissen|nicht wissen|geheim halten|halte geheim|halte das geheim|vor dem nutzer|vor dem benutzer|vor dem anwender|verberg*|verschweig*|verheimlich*|nicht erwähnt werden|ohne kenntnis',
  outrank:
    'hat vorrang vor|haben vorrang vor|geht vor|gehen vor|stehen über|steht über|gelten vor|gilt vor|wichtiger als|überschreibt|überschreiben|ersetzt|ersetzen|gilt mehr als|gelten mehr als|sticht|höher als|schlägt',
  'outranks-last': 'die gelten|die gewinnen|haben vorrang|hat vorrang|geht das dort vor',
  void: 'gilt nicht|gelten nicht|gilt nicht mehr|gelten nicht mehr|nicht mehr gültig|ist aufgehoben|sind aufgehoben|außer kraft|ungültig|überholt|zählen nicht|zählt nicht|spielt keine rolle|spielen keine rolle|trotzdem weiter|mach trotzdem|entfallen|entfällt|hinfällig|nicht mehr|aufgehoben|außer kraft gesetzt|ausgesetzt|nichtig|gegenstandslos|erledigt|widerrufen|keine geltung|keine gültigkeit|gelten hier nicht|beiseite',
  unbound:
    'ohne einschränkungen|keine einschränkungen|ohne beschränkungen|uneingeschränkt*|unbeschränkt*|ohne regeln|keine regeln|frei von allen|keine grenzen|ohne grenzen|an keine regeln',
  lie: 'gib niemals zu|gib nie zu|streite ab|leugne|sag, dass nichts|sage, dass nichts|sage, es|sag, es|so tun, als|tu so, als|sage, dass es nur|sage nur, dass|behaupte, dass nichts|behaupte, es sei nichts|als wäre nichts gewesen|als wäre nichts geschehen',
  always:
    'jeder sitzung|jede sitzung|allen sitzungen|künftigen sitzungen|jedem projekt|allen projekten|alle projekte|dauerhaft|immer|jedes mal|für immer|bei jeder anmeldung|bei jedem start|beim start|ständig|zukünftig*|ab jetzt|jeden tag|stündlich|jeder neuen|in zukunft',
  'each-answer':
    'jede antwort|jeder antwort|alle antworten|deine antwort|deine antworten|allen antworten|deiner antworten|jede deiner',
  'as-root':
    'als root|mit sudo|mit root|administratorrechten|als administrator|mit adminrechten|mit erhöhten rechten|root-rechten',
  executable: 'mach es ausführbar|mache es ausführbar|mach sie ausführbar|ausführbar',
  afterwards:
    'danach|anschließend|hinterher|ausgeführt wurde|damit niemand|was getan wurde|im anschluss|nachher',
  already:
    'bereits freigegeben|schon freigegeben|bereits geprüft|schon geprüft|wurde geprüft|wurde freigegeben|bereits genehmigt|zertifiziert|wurde zertifiziert|bereits bestanden|wurde auditiert|schon genehmigt|bereits auditiert',
  addressed:
    'an den|an die|hinweis an|an alle|falls du|wenn du|lieber|liebe|hinweis für|sehr geehrte|achtung|für den|für die|automatische',
  consent:
    'frage den nutzer|frag den nutzer|frage den benutzer|frage zuerst|frage, bevor|nach rückfrage|nach zustimmung|nach bestätigung|mit zustimmung|mit einverständnis|auf wunsch|wenn der nutzer|hat der nutzer zugestimmt|biete an|nach freigabe|sobald der nutzer',
  attacker:
    'angreifer|angriff|angriffe|schadsoftware|schädlich*|hacker|bösartig*|injektion|einschleusung|betrüger|schadprogramm*|phishing',
  'watch-for':
    'achte auf|suche nach|erkenne|melde|meldet|warnt vor|warne vor|warne|texte wie|sätze wie|anzeichen|hüte dich|schütze vor|schützt vor|blockiere|verhindere|verhindert|beispiele für|prüfe auf|alarm bei|gefährlich|verdächtig',
  you: 'du bist|du bist jetzt|verhalte dich|handle als|antworte',
  login: 'header|authorization|authorization-header|anmelden|anmeldung',
  mode: 'adminmodus|administratormodus|entwicklermodus|wartungsmodus|notfallmodus|systemnachricht|systemmeldung|mitteilung der verwaltung',
  mine: 'schürfe|schürf|schürfen|mine monero|krypto schürfen|schürft',
  carrier:
    'query-string|abfrageparameter|url-parameter|nächsten anfrage|die url|der url|adresse|suchanfrage|subdomain|dns-anfrage|parameter',
  evaluate:
    'bewerte|bewertet|bewertest|bewerten|beurteilst|beurteile|beurteilt|prüfst|prüft|prüfe|begutachte*|urteil|analyse|analysiert|bewertung|einstuf*|stufe',
  only: 'nur|nur noch|ausschließlich|allein|einzig',
  your: 'deine|deinen|deiner|deines|dein|eure|ihre',
  object:
    'widerspricht|stopp sagt|halt sagt|nein sagt|protestiert|ablehnt|beschwert|einwände|abbrechen will|verweigert',
  'go-on': 'trotzdem|dennoch|mach weiter|weitermachen|fahre fort|ungeachtet|setze fort|gleichwohl',
  narrow: 'firewallregel|für port',
  'remember-to': 'vergiss nicht|nicht vergessen',
};
